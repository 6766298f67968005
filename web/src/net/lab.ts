/** Ask for experiments: a module of its own, which only the Lab page loads. */

import { at } from "./base";
import { ask } from "./http";
import type { LabRequest, LabShelf } from "./wire";

export async function shelf(): Promise<LabShelf> {
  return (await (await ask("/api/lab")).json()) as LabShelf;
}

/** Begin an experiment; its name is the answer. */
export async function begin(wanted: LabRequest, key: string): Promise<string> {
  return ((await (await ask("/api/lab", wanted, key)).json()) as { name: string }).name;
}

/** Stop an experiment, or go on with it. */
export async function change(name: string, what: "run" | "stop", key: string): Promise<void> {
  await ask(`/api/lab/${encodeURIComponent(name)}/${what}`, {}, key);
}

export const reportOf = (name: string): string => at(`/api/lab/${encodeURIComponent(name)}/report`);

/** Work out the table from what changed, so that a move needs few bytes; a message here has no defaults yet. */

export type Given = Record<string, unknown>;

export const isObject = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lay changes over an object; those to some elements of a list stand in an object, by their place. */
function laid(old: Given, changes: Given): Given {
  const now = { ...old, ...changes };
  for (const name of Object.keys(changes)) {
    const [list, some] = [old[name], changes[name]];
    if (Array.isArray(list) && isObject(some))
      now[name] = list.map((one: Given, place) => laid(one, (some[place] ?? {}) as Given));
  }
  return now;
}

interface Shown extends Given {
  scene: { status: { ply: number }; log?: { ply: number }[] } & Given;
}
interface Patch extends Given {
  sync?: Given;
  scene?: Given;
  log?: { ply: number }[];
}

/** Return the `sync` that a patch turns an earlier one into. */
export function patched(last: Given, { sync = {}, scene = {}, log = [], version, head = "" }: Patch): Given {
  const before = (last as Shown).scene;
  const now = laid(before, scene) as Shown["scene"];
  const first = log[0]?.ply ?? now.status.ply + 1;
  now.log = [...(before.log ?? []).filter((line) => line.ply < first), ...log];
  return { ...laid(last, sync), version, head, scene: now };
}

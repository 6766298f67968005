/** Replace the invitation to a seat by another; the link given away before opens nothing then. */

import * as t from "../speech/dialogs";
import { store } from "../net/store";
import { drawKey } from "../net/tokens";
import type { Controls } from "./controls.svelte";

const INVITATION_SIGNS = 22;

export async function renew(controls: Controls, code: string): Promise<void> {
  const { table, token, clients, voice } = controls.session;
  const [client] = clients;
  if (!client) return;
  const instead = `join-${drawKey().slice(0, INVITATION_SIGNS)}`;
  const version = Math.max(client.version, client.fair?.version ?? 0);
  const answer = await client.ask({ type: "revoke", version, code, instead });
  if (answer.type === "error") return voice.fail(answer.sentence);
  const entry = store.entry(table, token);
  store.remember({ ...entry, seats: entry.seats.map((one) => (one === code ? instead : one)) });
  controls.renewed += 1;
  voice.say(t.theOldLinkWorksNoMore);
}

/**
 * Add this browser's share to the deal of a table: its hash first, the share itself once all hashes are
 * there.
 */

import { commitShare, drawShare } from "../net/fairness";
import { store } from "../net/store";
import type { Fair, Request, ServerMessage } from "../net/wire";

/** Who sits at a seat. */
export interface Giver {
  readonly table: string;
  ask(request: Request): Promise<ServerMessage>;
}

/**
 * The share of this browser at a seat: kept, as it has to be shown later, and to be found in the record at
 * the end.
 */
function shareAt(table: string, seat: number): string {
  const kept = store.share(table, seat);
  if (kept) return kept;
  const share = drawShare();
  store.keepShare(table, seat, share);
  return share;
}

/** Give what the deal waits for from a seat; returns what was wrong with it, or "". */
export async function contribute(giver: Giver, fair: Fair): Promise<string> {
  const { asked, closed, commitments, dealt, seat, shares, version } = fair;
  if (dealt || !asked.includes(seat)) return "";
  const share = shareAt(giver.table, seat);
  const commitment = await commitShare(giver.table, seat, share);
  const mine = commitments[seat];
  let request: Request | null = null;
  if (!mine && !closed) request = { type: "commit", version, commitment };
  else if (closed && mine === commitment && !shares[seat]) request = { type: "share", version, share };
  if (!request) return ""; // it is another browser's to give
  const answer = await giver.ask(request);
  return answer.type === "error" && answer.code !== "not_allowed" ? answer.sentence : "";
}

/**
 * Whether the share that this browser gave is missing in a deal: then something is wrong, and one should say
 * so.
 */
export function isMissing(table: string, fair: Fair): boolean {
  const { asked, dealt, seat, shares } = fair;
  const kept = store.share(table, seat);
  return dealt && asked.includes(seat) && kept !== "" && shares[seat] !== kept;
}

/**
 * Add this browser's share to the deal of a table: its hash first, the share itself once all hashes are
 * there.  Each round has a share of its own, as those of a void round were shown.
 */

import * as t from "../speech/session";
import { cardsDealt, shareShown } from "../net/deals";
import { commitShare, drawShare } from "../net/fairness";
import { store } from "../net/store";
import type { Fair, Request, ServerMessage } from "../net/wire";

/** Who sits at a seat. */
export interface Giver {
  readonly table: string;
  ask(request: Request): Promise<ServerMessage>;
}

/** Requests that came too late: the table has moved on, and the next message says where it is. */
const LATE = ["not_allowed", "stale_version"];
/** The last commitment of the server that each seat here was told, by table and seat. */
const told = new Map<string, string>();
/** Shares that the server has confirmed, by table, seat and round. */
const confirmed = new Set<string>();

/**
 * The share of this browser at a seat: kept, as it has to be shown later, and to be found in the record at
 * the end.
 */
function shareAt(table: string, seat: number, round: number): string {
  const kept = store.share(table, seat, round);
  if (kept) return kept;
  const share = drawShare();
  store.keepShare(table, seat, round, share);
  return share;
}

/** Give what the deal waits for from a seat; returns what was wrong with it, or "". */
export async function contribute(giver: Giver, fair: Fair): Promise<string> {
  const { asked, closed, commitments, dealt, seat, shares, version } = fair;
  if (dealt || !asked.includes(seat)) return "";
  const round = fair.void.length;
  const share = shareAt(giver.table, seat, round);
  const commitment = await commitShare(giver.table, seat, share);
  const mine = commitments[seat];
  let request: Request | null = null;
  if (!mine && !closed) request = { type: "commit", version, commitment };
  else if (closed && mine === commitment && !shares[seat]) request = { type: "share", version, share };
  if (!request) return ""; // it is another browser's to give
  const answer = await giver.ask(request);
  if (request.type === "share") {
    shareShown(giver.table);
    if (answer.type === "ack") confirmed.add(`${giver.table} ${seat} ${round}`);
  }
  return answer.type === "error" && !LATE.includes(answer.code) ? answer.sentence : "";
}

/**
 * Say what shows that a deal is not to be trusted, or "": the share that this browser gave is missing, or the
 * server's commitment became another and no round was void.
 */
export function wrongWith(table: string, fair: Fair): string {
  const { asked, commitment, dealt, seat, shares } = fair;
  if (dealt) cardsDealt(table);
  const before = told.get(`${table} ${seat}`);
  told.set(`${table} ${seat}`, commitment);
  if (before && before !== commitment && !fair.void.some((one) => one.commitment === before))
    return t.theCommitmentWasChanged;
  const kept = store.share(table, seat, fair.void.length);
  const isBlamed = fair.void.some(
    ({ withheld }, round) => withheld.includes(seat) && confirmed.has(`${table} ${seat} ${round}`),
  );
  const isMissing = dealt && asked.includes(seat) && kept !== "" && shares[seat] !== kept;
  return isBlamed || isMissing ? t.yourBrowsersShareIsMissingFrom : "";
}

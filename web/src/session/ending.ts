/** Check, once a game between people is over, that its record is of the game that this browser followed. */

import * as t from "../speech/session";
import { record } from "../net/http";
import { follow, readRecord } from "../net/record";

/** Say what is wrong with a table's record, or "": `seen` are the check values that were shown here, in order. */
export async function wrongWithEnd(table: string, key: string, seen: readonly string[]): Promise<string> {
  if (!seen.length) return ""; // a table that has none
  const { head, moves } = readRecord(await record(table, key));
  const { fault, heads } = await follow(head, moves);
  const known = new Set(heads.map((one) => one.slice(0, seen[0]?.length)));
  return fault || seen.some((one) => !known.has(one)) ? t.theRecordIsOfAnotherGame : "";
}

/** Deal another table like one that there is. */

import { deal } from "../lobby/deal";
import type { TableEntry } from "../net/store";

/** Make it and go there; returns the sentence of what went wrong, or "". */
export const again = (entry: TableEntry, how: "new" | "same" | "day"): Promise<string> =>
  deal({
    game: entry.game,
    title: entry.title,
    options: how === "same" ? {} : entry.options,
    deal: how,
    ...(how === "same" ? { same: entry } : {}),
  });

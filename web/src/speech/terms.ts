/** Find a game's own words in a text, so that they can be explained where they stand. */

export interface Term {
  word: string;
  says: string;
  clause: string;
}

export interface Part {
  text: string;
  term: Term | null;
  /** The punctuation after the word, which stays on its line. */
  after?: string;
}

const quoted = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Split a text at the words that are explained; each is found once, the longer before the shorter. */
export function parts(text: string, terms: readonly Term[]): Part[] {
  const open = new Map(terms.map((term) => [term.word, term]));
  const words = [...open.keys()].sort((one, other) => other.length - one.length).map(quoted);
  if (!words.length) return [{ text, term: null }];
  const found: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(
    new RegExp(`(?<![\\w-])(${words.join("|")})s?(?![\\w-])([.,;:!?)]*)`, "g"),
  )) {
    const term = open.get(match[1] ?? "");
    if (!term) continue;
    open.delete(term.word);
    if (match.index > at) found.push({ text: text.slice(at, match.index), term: null });
    const after = match[2] ?? "";
    found.push({ text: match[0].slice(0, match[0].length - after.length), term, after });
    at = match.index + match[0].length;
  }
  if (at < text.length || !found.length) found.push({ text: text.slice(at), term: null });
  return found;
}

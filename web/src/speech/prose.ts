/** Read the little markup that rule texts have: `names` of options in backticks, read as forms label them. */

export interface Span {
  text: string;
  code: boolean;
}

const CODE = /`([^`]+)`/g;

const read = (name: string): string => name.replaceAll("_", " ");

/** Split a text into words and code; a backtick without its fellow is a word like others. */
export function spans(text: string): Span[] {
  // With one group, every second part is what a pair of backticks holds.
  return text
    .split(CODE)
    .flatMap((part, n) => (part ? [{ text: n % 2 ? read(part) : part, code: n % 2 === 1 }] : []));
}

/** The text without its markup. */
export const plain = (text: string): string => text.replace(CODE, (_, name: string) => read(name));

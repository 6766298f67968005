/** Read the little markup that rule texts have: `names` in backticks. */

export interface Span {
  text: string;
  code: boolean;
}

const CODE = /`([^`]+)`/g;

/** Split a text into words and code; a backtick without its fellow is a word like others. */
export function spans(text: string): Span[] {
  // With one group, every second part is what a pair of backticks holds.
  return text.split(CODE).flatMap((part, n) => (part ? [{ text: part, code: n % 2 === 1 }] : []));
}

/** The text without its markup. */
export const plain = (text: string): string => text.replace(CODE, "$1");

/** What stands in a sentence: a name, a number. */
export type Said = string | number;

/** The colours that grounds and liveries have here, by name; any other is grey. */
const COLOURS: ReadonlySet<string> = new Set(
  "sand green blue purple red yellow orange teal brown black white grey".split(" "),
);

export const colourOf = (name: string): string => (COLOURS.has(name) ? name : "grey");

/** Name the computer players as people know them; commands use their own names. */

const LEVELS: Readonly<Record<string, string>> = {
  page: "Beginner",
  squire: "Easy",
  knight: "Medium",
  marshal: "Hard",
  castellan: "Expert",
};

/** A computer player's title: "Medium" for "knight", "Medium (deft)" for "knight:deft". */
export function playerTitle(player: string): string {
  const [name = "", skill = ""] = player.split(":");
  const title = LEVELS[name] ?? name.replace(/^./, (first) => first.toUpperCase());
  return skill ? `${title} (${skill})` : title;
}

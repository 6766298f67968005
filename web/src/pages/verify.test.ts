import { expect, test } from "vitest";
import { checkValue, firstHead, headsOf } from "../net/chain";
import { commitSecret, commitShare, dealSeed } from "../net/fairness";
import type { VoidRound } from "../net/wire";
import { type Known, verdictOf, verify } from "./verify";

const SECRET = "ab".repeat(32);
const SHARES = new Map([
  [1, "01".repeat(16)],
  [2, "02".repeat(16)],
]);
const nobody = (): Map<number, string> => new Map();
const knowing = (shares = nobody, noted = "", seen = "", others = 0): Known => ({
  shares,
  noted,
  head: () => seen,
  undealt: () => others,
});

const written = ({ commitment, withheld }: VoidRound): string =>
  `{ commitment = "${commitment}", withheld = [${withheld.join(", ")}] }`;

/** A record of before tables chained their logs. */
const old = async (before: readonly VoidRound[] = []): Promise<string> =>
  (await honest(before)).replace(/\[log\][^]*?\n\]\n\n/, "");

async function honest(before: readonly VoidRound[] = []): Promise<string> {
  const options = { deep: true, "group.of": 3 };
  const seed = await dealSeed({
    table: "abc",
    game: "tower",
    rules: 2,
    options,
    seats: 2,
    secret: SECRET,
    shares: SHARES,
    void: before,
  });
  const one = await commitShare("abc", 1, SHARES.get(1) ?? "");
  const two = await commitShare("abc", 2, SHARES.get(2) ?? "");
  const commitment = await commitSecret("abc", SECRET, "", before);
  const entries = ["1 move 1 attack 2 with 9l", "1 offer 2", "1 agree 1"];
  const begins = await firstHead({
    table: "abc",
    game: "tower",
    rules: 2,
    options,
    players: ["person", "person"],
    commitment,
    persons: [1, 2],
    commitments: { 1: one, 2: two },
    shares: Object.fromEntries(SHARES),
  });
  const head = (await headsOf(begins, SECRET, entries)).at(-1) ?? "";
  return `game = "tower"
rules = 2
seats = 2
seed = "${seed}"
result = "none"
settled = { reason = "agreement" }

[options]
deep = true
group = { of = 3 }

[fairness]
protocol = 1
table = "abc"
commitment = "${commitment}"
secret = "${SECRET}"
persons = [1, 2]
commitments = { 1 = "${one}", 2 = "${two}" }
shares = { 1 = "${SHARES.get(1)}", 2 = "${SHARES.get(2)}" }
${before.length ? `void = [${before.map(written).join(", ")}]` : ""}

[log]
protocol = 1
table = "abc"
players = ["person", "person"]
head = "${head}"
entries = [
${entries.map((entry) => `  "${entry}",`).join("\n")}
]

1. attack 2 with 9l
`;
}

const wrong = async (text: string, own = nobody): Promise<string[]> =>
  (await verify(text, knowing(own))).filter((one) => !one.holds).map((one) => one.part);

test("an honest record is true, also to who gave a share", async () => {
  expect(await wrong(await honest())).toEqual([]);
  expect(verdictOf(await verify(await honest(), knowing()))).toBe("fair");
  expect(await wrong(await honest(), () => SHARES)).toEqual([]);
});

test("the record of a game that isn't over is no forgery", async () => {
  const text = (await old()).replace(/secret = .*\n/, "").replace(/^seed = .*\n/m, "");
  await expect(verify(text, knowing())).rejects.toThrow("wasn’t over yet");
});

test("who saw deals elsewhere come to nothing is told", async () => {
  const found = await verify(await honest(), knowing(nobody, "", "", 2));
  expect(found.find((one) => one.part === "other deals")?.says).toContain("2 deals at other tables");
  expect(verdictOf(found)).toBe("fair");
});

test("a forged record is false where it was forged", async () => {
  const text = await old();
  expect(await wrong(text, () => new Map([[2, "09".repeat(16)]]))).toEqual(["share of seat 2"]);
  expect(await wrong(text.replaceAll(SECRET, "cd".repeat(32)))).toContain("secret");
  expect(await wrong(text.replace('table = "abc"', 'table = "abd"'))).toContain("secret");
  expect(await wrong(text.replace("02".repeat(16), "03".repeat(16)))).toContain("share of seat 2");
  expect(await wrong(text.replace("of = 3", "of = 4"))).toEqual(["seed"]);
  expect(
    await wrong(text.replace(/seed = ".."/, 'seed = "00').replace(/^seed = ".{4}/m, 'seed = "0000')),
  ).toContain("seed");
  expect(await wrong(text.replace(/persons = .*/, "persons = [1]"))).toEqual(["fairness"]);
  expect(await wrong(text.replace("protocol = 1", "protocol = 2"))).toEqual(["fairness"]);
  expect(await wrong(text.replace(/secret = .*\n/, ""))).toEqual(["secret"]);
  expect(verdictOf(await verify(text.replace(/\[fairness\][^]*?\n\n/, ""), knowing()))).toBe("open");
});

test("the log binds the moves and the ending", async () => {
  const text = await honest();
  const head = /^head = "(.*)"$/m.exec(text)?.[1] ?? "";
  const found = await verify(text, knowing(nobody, head.slice(0, 20)));
  expect(verdictOf(found)).toBe("fair");
  expect(found.find((one) => one.part.startsWith("check value"))?.says).toContain("covers the whole game");
  expect(found.find((one) => one.part === "log")?.says).toContain(checkValue(head));
  for (const [was, is] of [
    ["\n1. attack 2 with 9l\n", "\n"],
    ["\n1. attack 2 with 9l", "\n1. attack 2 with 8l"],
    ['settled = { reason = "agreement" }\n', ""],
    ['reason = "agreement"', 'reason = "resignation", loser = 1'],
    ['"1 agree 1"', '"1 agree 2"'],
    ['  "1 offer 2",\n', ""],
    ['"1 offer 2"', '"0 offer 2"'],
    ['"1 offer 2"', '"1 offer 3"'],
    ['"1 offer 2"', "2"],
    [head, "0".repeat(64)],
    ['players = ["person", "person"]', 'players = ["person", "hard"]'],
    ["[log]\nprotocol = 1", "[log]\nprotocol = 2"],
    ['table = "abc"\nplayers', 'table = "abd"\nplayers'],
  ] as const) {
    expect(text).toContain(was);
    expect(await wrong(text.replace(was, is))).toContain("log");
  }
  const noted = await verify(text, knowing(nobody, "0".repeat(20), "1".repeat(20)));
  expect(noted.filter((one) => !one.holds).map((one) => one.part)).toEqual([
    "check value you noted",
    "check value this browser saw last",
  ]);
});

test("a record without a log is open", async () => {
  const found = await verify(await old(), knowing());
  expect(verdictOf(found)).toBe("open");
  expect(found.flatMap((one) => one.changer ?? [])).toEqual(["whoever passed the record on"]);
});

test("void deals are named, and a record that hides or changes them is forged", async () => {
  const before = [
    { commitment: "1a".repeat(32), withheld: [2], given_up: [] },
    { commitment: "2b".repeat(32), withheld: [1, 2], given_up: [] },
  ];
  const text = await old(before);
  const found = await verify(text, knowing());
  expect(verdictOf(found)).toBe("open");
  expect(found.flatMap((one) => one.chooser ?? [])).toEqual([
    "seat 2 and the host together, who could have turned deal 1 down",
    "seats 1 and 2 and the host together, who could have turned deal 2 down",
  ]);
  expect(await wrong(text.replace(/^void = .*\n/m, ""))).toEqual(["secret", "seed"]);
  expect(await wrong(text.replace("withheld = [2]", "withheld = [1]"))).toEqual(["secret", "seed"]);
  for (const [was, is] of [
    ["withheld = [2]", "withheld = [3]"],
    ["withheld = [2]", "withheld = []"],
    ["withheld = [2]", "withheld = [2], given_up = [2]"],
    ["1a".repeat(32), "x"],
    ["void = [", "void = [1, "],
    [/^void = .*$/m, 'void = "no"'],
  ] as const)
    expect(await wrong(text.replace(was, is))).toEqual(["fairness"]);
});

test("a share that is missing is named, and missed by who gave it", async () => {
  const without = (await old())
    .replace(/, 2 = "(?:02)+"/, "")
    .replace("persons = [1, 2]", "persons = [1, 2]\nleft_out = [2]");
  const found = await verify(without, knowing());
  expect(found.find((one) => one.part === "share of seat 2")).toMatchObject({ holds: true });
  expect(await wrong(without, () => SHARES)).toContain("share of seat 2");
});

test("what is no record is refused in a sentence", async () => {
  for (const text of [
    "",
    "nonsense",
    "game = 1",
    "[fairness]\nprotocol = {",
    "game = 'x'\nrules = 1\nseats = 1\n[fairness]\nshares = 3",
  ]) {
    const said = await verify(text, knowing()).then(
      (found) => (found.every((one) => one.holds) ? "true" : ""),
      (error: Error) => error.message,
    );
    expect(said).not.toBe("true");
  }
});

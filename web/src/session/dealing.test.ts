import { describe, expect, it } from "vitest";
import { store } from "../net/store";
import type { Fair, Request, ServerMessage } from "../net/wire";
import { contribute, wrongWith } from "./dealing";

const BLANK: Fair = {
  type: "fair",
  version: 0,
  seat: 1,
  manner: "shares",
  commitment: "c0",
  seed: "",
  asked: [1, 2],
  commitments: {},
  shares: {},
  closed: false,
  dealt: false,
  left_out: [],
  void: [],
  agreed: {},
};
const FAILED = { commitment: "c0", withheld: [2], given_up: [] };

/** A browser at a table, and what it asks of a server that answers the same each time. */
function browser(table: string, answer: ServerMessage = { type: "ack", id: "", version: 1 }) {
  const asked: Request[] = [];
  const ask = (request: Request): Promise<ServerMessage> => {
    asked.push(request);
    return Promise.resolve(answer);
  };
  return { asked, giver: { table, ask } };
}

async function committed(table: string, fair: Fair): Promise<string> {
  const { asked, giver } = browser(table);
  await contribute(giver, fair);
  const request = asked[0];
  return request?.type === "commit" ? request.commitment : "";
}

describe("contribute", () => {
  it("draws a share for each round and keeps it through a reload", async () => {
    const first = await committed("t", BLANK);
    expect(await committed("t", BLANK)).toBe(first);
    const second = await committed("t", { ...BLANK, void: [FAILED] });
    expect(second).not.toBe(first);
    expect(store.shares("t").get(1)).toBe(store.share("t", 1, 1));
  });

  it("shows no share of an earlier round", async () => {
    const first = await committed("u", BLANK);
    const { asked, giver } = browser("u");
    await contribute(giver, { ...BLANK, closed: true, commitments: { 1: first, 2: "x" }, void: [FAILED] });
    expect(asked).toEqual([]);
    await contribute(giver, { ...BLANK, closed: true, commitments: { 1: first, 2: "x" } });
    expect(asked).toMatchObject([{ type: "share", share: store.share("u", 1, 0) }]);
  });

  it("takes no fault in what came after the round was void", async () => {
    const late = browser("u", { type: "error", code: "stale_version", sentence: "Too late." });
    expect(await contribute(late.giver, BLANK)).toBe("");
  });
});

describe("wrongWith", () => {
  it("finds a commitment that became another without a void round", () => {
    expect(wrongWith("a", BLANK)).toBe("");
    expect(wrongWith("a", { ...BLANK, commitment: "c1", void: [FAILED] })).toBe("");
    expect(wrongWith("a", { ...BLANK, commitment: "c2" })).toContain("commitment");
  });

  it("finds a share that the server confirmed and calls missing", async () => {
    const first = await committed("b", BLANK);
    const mine = { ...FAILED, withheld: [1] };
    expect(wrongWith("b", { ...BLANK, void: [mine] })).toBe("");
    const { giver } = browser("b");
    await contribute(giver, { ...BLANK, closed: true, commitments: { 1: first, 2: "x" } });
    expect(wrongWith("b", { ...BLANK, void: [mine] })).toContain("share is missing");
  });

  it("finds a share of this browser that a deal left out", async () => {
    await committed("c", BLANK);
    const share = store.share("c", 1, 0);
    expect(wrongWith("c", { ...BLANK, dealt: true, shares: { 1: share } })).toBe("");
    expect(wrongWith("c", { ...BLANK, dealt: true })).toContain("share is missing");
  });
});

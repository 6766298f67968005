import { afterEach, expect, test, vi } from "vitest";
import { commitSecret, commitShare, dealSeed, drawShare, sha256 } from "./fairness";

const SECRET = "ab".repeat(32);
const SHARES = new Map([
  [2, "02".repeat(16)],
  [1, "01".repeat(16)],
]);

afterEach(() => vi.unstubAllGlobals());

/** The same values stand in tests/match/test_verify.py. */
async function agrees(): Promise<void> {
  expect((await commitShare("t", 2, "02".repeat(16))).slice(0, 16)).toBe("5e74c9a15b06c9ab");
  expect((await commitSecret("t", SECRET, "5")).slice(0, 16)).toBe("150175cdf07a7ac7");
  const options = { "b.c": true, a: 7, z: 'any ü "x"' };
  const deal = { table: "t", game: "tower", rules: 3, options, seats: 2, secret: SECRET, shares: SHARES };
  expect(await dealSeed(deal)).toBe("ef253a70d61453c18fa78ef73df6608e");
  const before = [
    { commitment: "1a".repeat(32), withheld: [2, 3], given_up: [3] },
    { commitment: "2b".repeat(32), withheld: [], given_up: [4] },
  ];
  expect((await commitSecret("t", SECRET, "", before)).slice(0, 16)).toBe("35d90f80e0b76617");
  expect(await dealSeed({ ...deal, void: before })).toBe("b121c9b16573846cc6981915bbbb36f7");
}

test("hashes are those that the server and the command make", agrees);

test("a page without WebCrypto's hashes makes the same ones", async () => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  expect(await sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  await agrees();
});

test("a share has 128 bits and is another each time", () => {
  const shares = new Set(Array.from({ length: 50 }, drawShare));
  expect(shares.size).toBe(50);
  for (const share of shares) expect(share).toMatch(/^[0-9a-f]{32}$/);
});

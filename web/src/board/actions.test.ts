import { describe, expect, it } from "vitest";
import { complete } from "../net/complete";
import type { Choice, Setting } from "../net/wire";
import { cancel, playChoice, showScene, touchThings } from "./actions";
import { Board } from "./board.svelte";

const scene = complete("Scene", {
  seat: 1,
  status: { ply: 3, seat: 1, phase: "", prompt: "" },
  zones: [
    {
      id: "hand",
      kind: "row",
      label: "hand",
      items: [
        { id: "J", face: "J" },
        { id: "Q", face: "Q" },
        { id: "foe", face: "2" },
        { id: "other", face: "3" },
      ],
    },
  ],
  choices: [
    { action: 1, text: "J foe", verb: "Defend", items: ["J", "foe"], target: "foe" },
    { action: 2, text: "J other", verb: "Defend", items: ["J", "other"], target: "other" },
    { action: 3, text: "end", verb: "End turn", items: [] },
  ],
} as never);
const end = scene.choices[2]!;

function table(asks = true): { board: Board; played: Choice[]; asked: string[] } {
  const [played, asked]: [Choice[], string[]] = [[], []];
  const board = new Board({
    play: (choice) => played.push(choice),
    confirm: (_, why) => asks && asked.push(why) > 0,
  });
  board.setting = complete("Setting", {} as never) as Setting;
  showScene(board, scene, false);
  return { board, played, asked };
}

describe("ending a turn", () => {
  it("asks first while a move is half chosen, and ends it when pressed again", () => {
    const { board, played, asked } = table();
    touchThings(board, ["J"]);
    playChoice(board, end);
    expect(played).toEqual([]);
    expect(asked).toEqual(["The move you chose isn’t played yet."]);
    expect(board.confirming).toBe(end);
    expect(board.selection).toEqual(["J"]);
    playChoice(board, end);
    expect(played).toEqual([end]);
  });

  it("asks no more once the choice is taken back or completed", () => {
    const { board, played } = table();
    touchThings(board, ["J"]);
    playChoice(board, end);
    touchThings(board, ["foe"]);
    expect(played.map((choice) => choice.action)).toEqual([1]);
    expect(board.confirming).toBeNull();
    const other = table();
    touchThings(other.board, ["J"]);
    cancel(other.board);
    playChoice(other.board, end);
    expect(other.played).toEqual([end]);
  });

  it("doesn’t ask where nothing is chosen, or where the player doesn’t want to be asked", () => {
    const { board, played } = table();
    playChoice(board, end);
    expect(played).toEqual([end]);
    const quiet = table(false);
    touchThings(quiet.board, ["J"]);
    playChoice(quiet.board, end);
    expect(quiet.played).toEqual([end]);
  });
});

import { tick } from "svelte";
import { beforeEach, describe, expect, it } from "vitest";
import { Board } from "../board/board.svelte";
import { complete } from "../net/complete";
import type { Scene } from "../net/wire";
import { Stage } from "./stage.svelte";

const scene = (ply: number, seat = 1): Scene =>
  complete("Scene", { seat, status: complete("Status", { ply, seat: 1, phase: "", prompt: "" }), zones: [] });

let board: Board;
let stage: Stage;
/** Be the felt: something is shown until it is over. */
const begin = (): void => {
  board.performing = () => end();
};
const end = (): void => {
  board.performing = null;
  board.onrest();
};
const ply = (): number | undefined => board.scene?.status.ply;

beforeEach(() => {
  board = new Board();
  stage = new Stage(board);
  stage.show(scene(0), false);
});

describe("a stage", () => {
  it("lays at once what nothing stands in the way of", () => {
    stage.show(scene(1), false);
    expect(ply()).toBe(1);
    expect(stage.held).toBeNull();
  });

  it("lets what comes meanwhile wait, one after the other, and nothing be played on the way", async () => {
    stage.show(scene(1), false);
    begin();
    stage.show(scene(2), false);
    stage.show(scene(3), false);
    expect([ply(), board.still, stage.held?.status.ply]).toEqual([1, true, 1]);
    end();
    begin();
    await tick();
    expect([ply(), board.still, stage.held?.status.ply]).toEqual([2, true, 2]);
    end();
    expect([ply(), board.still, stage.held]).toEqual([3, false, null]);
  });

  it("is at its end at once where somebody wants that", () => {
    begin();
    stage.show(scene(1), false);
    stage.show(scene(2), false);
    board.onskip();
    expect([ply(), stage.held]).toEqual([2, null]);
  });

  it("lays at once what was taken back, and what is seen with other eyes", () => {
    stage.show(scene(4), false);
    begin();
    stage.show(scene(3), false);
    expect(ply()).toBe(3);
    stage.show(scene(5, 2), false);
    expect(ply()).toBe(5);
  });

  it("does not come back to what waits once something else is looked at", () => {
    begin();
    stage.show(scene(1), false);
    stage.forget();
    expect(ply()).toBe(0);
  });

  it("acts once all has been seen", async () => {
    const done: string[] = [];
    begin();
    stage.show(scene(1), false);
    stage.then(() => done.push("told"));
    await tick();
    expect(done).toEqual([]);
    end();
    await tick();
    end();
    await tick();
    expect(done).toEqual(["told"]);
  });
});

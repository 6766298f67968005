import { tick } from "svelte";
import { beforeEach, describe, expect, it } from "vitest";
import { Board } from "../board/board.svelte";
import { complete } from "../net/complete";
import type { Scene } from "../net/wire";
import { SceneQueue } from "./scenes.svelte";

const scene = (ply: number, seat = 1): Scene =>
  complete("Scene", { seat, status: complete("Status", { ply, seat: 1, phase: "", prompt: "" }), zones: [] });

let board: Board;
let queue: SceneQueue;
/** Be the felt: something is shown until it is over. */
const begin = (): void => {
  board.performing = () => end();
};
const end = (): void => {
  board.performing = null;
  board.events.rest();
};
const ply = (): number | undefined => board.scene?.status.ply;

beforeEach(() => {
  board = new Board();
  queue = new SceneQueue(board);
  queue.show(scene(0), false);
});

describe("a queue of scenes", () => {
  it("lays at once what nothing stands in the way of", () => {
    queue.show(scene(1), false);
    expect(ply()).toBe(1);
    expect(queue.held).toBeNull();
  });

  it("lets what comes meanwhile wait, one after the other, and nothing be played on the way", async () => {
    queue.show(scene(1), false);
    begin();
    queue.show(scene(2), false);
    queue.show(scene(3), false);
    expect([ply(), board.readOnly, queue.held?.status.ply]).toEqual([1, true, 1]);
    end();
    begin();
    await tick();
    expect([ply(), board.readOnly, queue.held?.status.ply]).toEqual([2, true, 2]);
    end();
    expect([ply(), board.readOnly, queue.held]).toEqual([3, false, null]);
  });

  it("is at its end at once where someone wants that", () => {
    begin();
    queue.show(scene(1), false);
    queue.show(scene(2), false);
    board.events.skip();
    expect([ply(), queue.held]).toEqual([2, null]);
  });

  it("lays at once what was taken back, and what is seen with other eyes", () => {
    queue.show(scene(4), false);
    begin();
    queue.show(scene(3), false);
    expect(ply()).toBe(3);
    queue.show(scene(5, 2), false);
    expect(ply()).toBe(5);
  });

  it("does not come back to what waits once something else is looked at", () => {
    begin();
    queue.show(scene(1), false);
    queue.forget();
    expect(ply()).toBe(0);
  });

  it("acts once all has been seen", async () => {
    const done: string[] = [];
    begin();
    queue.show(scene(1), false);
    queue.then(() => done.push("told"));
    await tick();
    expect(done).toEqual([]);
    end();
    await tick();
    end();
    await tick();
    expect(done).toEqual(["told"]);
  });
});

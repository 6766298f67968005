/** Go through one lesson, or solve one puzzle: what the server says of each try is shown on a board. */

import * as t from "../speech/learning";
import { cancel, moveOf, showRefusal, showScene } from "../board/actions";
import { calm } from "../board/anim";
import { Board } from "../board/board.svelte";
import type { Choice, LessonAnswer, LessonTry, Scene } from "../net/wire";
import { type Flight, flightBetween } from "../session/flights.svelte";
import { happened } from "../speech/log";
import { movers, title } from "../speech/names";
import { sentence } from "../speech/sentences";
import { play as sound } from "../ui/sound";
import { refusalWords, selectionWords } from "../session/words";
import { learn } from "../net/lessons";

/** Milliseconds between what follows by itself, so that each can be seen. */
const PACE_MS = 900;
/** The code of having looked, where nothing else is asked. */
const LOOKED = -1;

export class Teacher {
  readonly board: Board;
  /** The lesson or puzzle. */
  name = $state("");
  answer = $state.raw<LessonAnswer | null>(null);
  /** Chat messages of the latest try: praise, or why it was not it. */
  said = $state("");
  /** How that is meant. */
  mood = $state<"good" | "wrong" | "">("");
  /** What the others did meanwhile. */
  news = $state("");
  fault = $state("");
  busy = $state(false);
  /** Read out to those who do not see it. */
  spoken = $state("");
  /** The choice whose card is in the hand, to be thrown. */
  aiming = $state.raw<Choice | null>(null);
  /** The throw that is shown now, and the one that was shown last. */
  flight = $state.raw<Flight | null>(null);
  last = $state.raw<Flight | null>(null);
  /** Whether something was tried in vain, or shown, since it began. */
  helped = $state(false);
  /** True once all tasks are done. */
  readonly finished = $derived(this.answer !== null && !this.answer.ask.say);
  private asked = 0;
  private landed: () => void = () => undefined;
  /** The answer that is waited for. */
  private answering: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly game: string,
    private readonly onfinished: () => void = () => undefined,
  ) {
    this.board = new Board({
      play: (choice) => {
        if (choice.throw) this.aiming = choice;
        else void this.attempt(moveOf(this.board, choice));
      },
      why: (items) => void this.why(items),
      touch: () => (this.spoken = selectionWords(this.board)),
      walk: (actions) => void this.walk(actions),
    });
  }

  /** Begin a lesson. */
  async begin(name: string): Promise<void> {
    await this.answering;
    this.name = name;
    this.answer = null;
    this.said = this.mood = this.news = "";
    this.helped = false;
    this.aiming = this.flight = this.last = null;
    await this.ask({});
  }

  /** Begin what is asked now again. */
  async again(): Promise<void> {
    const { answer } = this;
    if (!answer) return;
    await this.ask({ done: answer.done.slice(0, answer.ask.begun) });
    this.said = this.mood = "";
  }

  /** Begin the whole lesson again. */
  async restart(): Promise<void> {
    await this.begin(this.name);
  }

  /** Throw the card that is in the hand. */
  async throw(text: string): Promise<void> {
    await this.attempt(text);
  }

  /** Put the card that is in the hand back. */
  putBack(): void {
    this.aiming = null;
    cancel(this.board);
  }

  /** The throw has come down, and was looked at. */
  land(): void {
    if (!this.flight) return;
    this.last = this.flight;
    this.flight = null;
    this.landed();
  }

  /** Look no longer: go on. */
  async look(): Promise<void> {
    await this.attempt(LOOKED);
  }

  async attempt(move: number | string): Promise<boolean> {
    const answer = await this.ask({ attempt: move });
    if (!answer) return false;
    if (answer.refusal) this.refuse(answer, false);
    else if (answer.failed) {
      this.helped = true;
      sound("refused");
    } else if (answer.accepted) sound(this.finished ? "won" : "move");
    else {
      this.helped = true;
      sound("refused");
    }
    return answer.accepted;
  }

  /** Play several steps one after the other, as far as they are what is meant. */
  private async walk(actions: readonly number[]): Promise<void> {
    for (const action of actions) if (!(await this.attempt(action))) return;
  }

  private async why(items: readonly string[]): Promise<void> {
    const answer = await this.ask({ items: [...items] });
    if (answer?.refusal) this.refuse(answer, true);
  }

  private refuse({ refusal }: LessonAnswer, touched: boolean): void {
    if (!refusal) return;
    this.said = this.mood = "";
    showRefusal(this.board, refusal);
    sound("refused");
    this.spoken = refusalWords(refusal, touched, this.board);
  }

  /** Show what to do, from where one stands or else from the beginning of the task. */
  async show(): Promise<void> {
    await this.answering;
    this.helped = true;
    let answer = await this.ask({ show: true });
    if (answer && !answer.shown && answer.done.length > answer.ask.begun) {
      await this.again();
      answer = await this.ask({ show: true });
    }
    const choice = this.board.scene?.choices.find((one) => one.action === answer?.shown?.action);
    this.aiming = null;
    cancel(this.board);
    if (choice) {
      this.board.hinted = new Set(choice.items);
      this.board.preview = choice;
    }
    const move = choice ? title(choice) : answer?.shown?.text;
    if (!move) return;
    this.mood = "good";
    this.said = t.tryThis(sentence(move));
    this.spoken = this.said;
  }

  /** Play the move that is meant. */
  async playShown(): Promise<void> {
    const shown = this.answer?.shown;
    if (!shown) return;
    const choice = this.board.scene?.choices.find((one) => one.action === shown.action);
    await this.attempt(choice?.throw ? shown.text : shown.action);
  }

  /** Highlight what to look at or touch, unless something is selected or marked otherwise. */
  light(): void {
    const { answer, board } = this;
    if (!answer || board.selection.length || board.refusal || board.preview || answer.shown) return;
    board.hinted = new Set(answer.ask.lit);
  }

  /** Ask, unless an answer is still waited for: what is asked hangs on what has been done. */
  private ask(question: LessonTry): Promise<LessonAnswer | null> {
    if (this.busy) return Promise.resolve(null);
    const answering = this.answered(question);
    this.answering = answering;
    return answering;
  }

  private async answered(question: LessonTry): Promise<LessonAnswer | null> {
    const mine = ++this.asked;
    const before = this.answer;
    this.busy = true;
    this.fault = "";
    try {
      const answer = await learn(this.game, this.name, { done: before?.done ?? [], ...question });
      await this.take(before, answer, question);
      return mine === this.asked ? answer : null;
    } catch (error) {
      this.fault = (error as Error).message;
      this.board.selection = [];
      return null;
    } finally {
      if (mine === this.asked) this.busy = false;
    }
  }

  /** Show what an answer brings, one scene after the other. */
  private async take(before: LessonAnswer | null, answer: LessonAnswer, question: LessonTry): Promise<void> {
    const { board } = this;
    if (answer.setting) board.setting = answer.setting;
    const [first, ...rest] = answer.scenes;
    const tried = question.attempt !== undefined && question.attempt !== null;
    if (tried && !answer.refusal) {
      this.said = this.mood = this.news = "";
      board.refusal = null;
    }
    if (!first) return;
    const ply = board.scene?.status.ply ?? 0;
    const played = tried && !answer.refusal;
    board.jumps = !played;
    if (played) this.aiming = null;
    for (const [n, scene] of answer.scenes.entries()) {
      const flight = played && flightBetween(board.scene, scene, true);
      if (flight) await this.fly(flight);
      else if (n) await new Promise((resume) => setTimeout(resume, calm() ? PACE_MS / 2 : PACE_MS));
      this.lay(scene, n < rest.length);
    }
    const last = rest.at(-1) ?? first;
    if (tried && !answer.refusal) {
      this.said = answer.said;
      this.mood = answer.accepted ? "good" : answer.said ? "wrong" : "";
    }
    this.news =
      rest.length && answer.accepted
        ? happened(last.log, first.status.ply, board.theme, movers(board.setting))
        : "";
    this.answer = answer;
    if (tried && !answer.accepted) board.selection = [];
    if (!question.show && !question.items && !answer.refusal) this.takeUp(answer, last);
    if (!answer.refusal && !question.items) this.speak(before, answer, last, tried ? ply : last.status.ply);
    if (this.finished && before && answer.ask.task !== before.ask.task) this.onfinished();
  }

  /** Show a throw before its result. */
  private async fly(flight: Flight): Promise<void> {
    await new Promise<void>((resume) => {
      this.landed = resume;
      this.flight = flight;
    });
  }

  /** Take the card into the hand that is asked to be thrown, so that nothing comes before the throw. */
  private takeUp({ ask, failed }: LessonAnswer, { choices }: Scene): void {
    if (ask.look || failed) return;
    this.aiming =
      choices.find(
        (one) =>
          one.throw && ask.lit.length === one.items.length && one.items.every((id) => ask.lit.includes(id)),
      ) ?? null;
  }

  private lay(scene: Scene, readOnly: boolean): void {
    // What has been said of a scene stays where nothing was played; a new one begins with nothing in hand.
    showScene(this.board, scene, readOnly || scene.choices.length === 0);
  }

  private speak(before: LessonAnswer | null, answer: LessonAnswer, scene: Scene, ply: number): void {
    const played =
      scene.status.ply > ply ? happened(scene.log, ply, this.board.theme, movers(this.board.setting)) : "";
    const news = before?.ask.task !== answer.ask.task ? answer.ask.say : "";
    this.spoken = [this.said, played, news].filter(Boolean).map(sentence).join(" ");
  }
}

/**
 * Show what happened in a ply, one event after the other: first, last, invert, play, by item id.
 *
 * The page shows the new scene already; what has not happened yet is held where it was. The order is that of
 * the motions that the log tells; what they do not name follows by itself.
 */

import type { Motion, Scene } from "../net/wire";
import { noise, type Noise } from "../ui/noises";
import "./choreography.css";
import { HOLD, schedule, type Move, type Step } from "./timetable";

interface Spot {
  x: number;
  y: number;
  width: number;
  zone: string;
  hidden: boolean;
  element: HTMLElement;
  card: string;
}

/** Where everything was before a scene changed. */
export interface Before {
  things: Map<string, Spot>;
  /** How many things each pile had, and where it lies. */
  piles: Map<string, { count: number; x: number; y: number; width: number }>;
}

export interface Performance {
  readonly done: Promise<unknown>;
  /** Let all be over at once. */
  skip: () => void;
}

const THINGS = "[data-item]:not([data-spread] *)";
const SPREAD = "[data-spread] [data-item]";
const EASE = "cubic-bezier(.2,.8,.25,1)";
/** No ply takes longer than so many beats: what is more is shown faster. */
const MOST_BEATS = 14;
const DEBRIS = 9;

function middle(element: HTMLElement): { x: number; y: number; width: number } {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: element.offsetWidth };
}

/** Say where everything is; what lies spread out lies in its pile too, but is seen to come from the spread. */
export function look(root: HTMLElement, spread = true): Before {
  const things: Before["things"] = new Map();
  const piles: Before["piles"] = new Map();
  const all = [
    ...root.querySelectorAll<HTMLElement>(THINGS),
    ...(spread ? root.querySelectorAll<HTMLElement>(SPREAD) : []),
  ];
  for (const element of all) {
    const zone = element.closest<HTMLElement>("[data-zone]")?.dataset.zone ?? "";
    const hidden = element.dataset.hidden !== undefined;
    const card = getComputedStyle(element).getPropertyValue("--card");
    things.set(element.dataset.item ?? "", { ...middle(element), zone, hidden, element, card });
  }
  for (const element of root.querySelectorAll<HTMLElement>("[data-pile]"))
    piles.set(element.dataset.pile ?? "", { count: Number(element.dataset.count), ...middle(element) });
  return { things, piles };
}

/** What a thing does by itself: where it comes from, and how. */
interface Way extends Move {
  from: { x: number; y: number; width: number };
  to: { x: number; y: number; width: number };
  element: HTMLElement;
  /** Whether it is gone from the page, and lies over it until its time has come. */
  ghost: boolean;
}

/** Show how a scene came to be, out of where all was before; a beat is in milliseconds. */
export function perform(
  root: HTMLElement,
  before: Before,
  scene: Scene,
  motions: readonly Motion[],
  beat: number,
): Performance {
  const after = look(root, false);
  const stage = document.createElement("div");
  stage.className = "stage";
  stage.setAttribute("aria-hidden", "true");
  stage.inert = true;
  root.append(stage);
  const ways = waysOf(stage, before, after, scene, motions);
  const steps = schedule(motions, [...ways.values()]);
  const end = Math.max(0, ...steps.map((step) => step.at + step.lasts));
  const unit = beat * Math.min(1, MOST_BEATS / Math.max(end, 1));
  const running: Animation[] = [];
  const timers: number[] = [];

  const run = (element: Element, frames: Keyframe[], from: number, lasts: number, easing = EASE): void => {
    const animation = element.animate(frames, {
      delay: from * unit,
      duration: Math.max(1, lasts * unit),
      easing,
      fill: "backwards",
    });
    running.push(animation);
    if (element instanceof HTMLElement && element.matches(".thing, .man")) {
      element.dataset.moving = "";
      void animation.finished.catch(() => undefined).then(() => delete element.dataset.moving);
    }
  };
  const heard = (sound: Noise, at: number): void =>
    void timers.push(window.setTimeout(() => noise(sound), at * unit));
  /** Where an id is: what has moved is where it was. */
  const place = (id: string): { x: number; y: number } | undefined => {
    const spot = before.things.get(id) ?? after.things.get(id);
    if (spot) return spot;
    const at = root.querySelector<HTMLElement>(
      ["touch", "zone", "pile"].map((kind) => `[data-${kind}="${CSS.escape(id)}"]`).join(", "),
    );
    return at ? middle(at) : undefined;
  };

  for (const step of steps) {
    const way = ways.get(step.item);
    const goal = step.goal ? place(step.goal) : undefined;
    const spot = step.weight ? place(step.item) : undefined;
    if (spot) {
      hold(stage, root, spot, step, run);
      heard(step.weight > 1 ? "toll" : "hit", step.at);
    }
    if (step.kind === "shot") {
      const from = place(step.item);
      if (from && goal) fire(stage, from, goal, step, run);
      heard("shot", step.at);
      heard("hit", step.at + step.lasts);
    } else if (step.kind === "shake") {
      const element = after.things.get(step.item)?.element;
      const frames = [0, -5, 5, -3, 2, 0].map((x) => ({ translate: `${x}px 0` }));
      if (element) run(element, frames, step.at, step.lasts, "linear");
      heard("hit", step.at);
    } else if (way) {
      travel(way, step, goal, run);
      if (step.kind === "fall") {
        crumble(stage, way.from, step, run);
        heard("fall", step.at);
      } else if (step.sounds)
        heard(
          step.kind === "throw"
            ? "throw"
            : step.kind === "turn"
              ? "flip"
              : step.kind === "deal"
                ? "deal"
                : "lay",
          step.at,
        );
      if (step.kind === "strike" || (step.kind === "throw" && goal))
        heard("hit", step.at + step.lasts * STRIKES_AT);
    }
  }

  const over = (): void => {
    for (const timer of timers) window.clearTimeout(timer);
    stage.remove();
  };
  const done = Promise.allSettled(running.map((animation) => animation.finished)).then(over);
  return {
    done,
    skip: () => {
      for (const animation of running) animation.finish();
      over();
    },
  };
}

/**
 * What everything that moved would do by itself; what is gone from the page is put on the stage, to go from
 * there.
 */
function waysOf(
  stage: HTMLElement,
  before: Before,
  after: Before,
  scene: Scene,
  motions: readonly Motion[],
): Map<string, Way> {
  const ways = new Map<string, Way>();
  const zoneOf = new Map(scene.zones.flatMap((zone) => zone.items.map((item) => [item.id, zone.id])));
  const shrunk = [...before.piles].filter(
    ([id, pile]) => (after.piles.get(id)?.count ?? pile.count) < pile.count,
  );
  const source = shrunk.length === 1 ? shrunk[0]?.[1] : undefined;
  const origins = new Map(
    motions.filter((motion) => motion.origin).map((motion) => [motion.item, motion.origin]),
  );
  for (const [id, now] of after.things) {
    if (now.width === 0) continue;
    const was = before.things.get(id);
    if (was && Math.hypot(was.x - now.x, was.y - now.y) < 2) continue;
    const turned = was ? undefined : turnedUp(before, after, now);
    const origin = origins.get(id);
    const told = origin
      ? (before.piles.get(origin) ?? [...before.things.values()].find((spot) => spot.zone === origin))
      : undefined;
    const from = was ?? told ?? (turned ? now : source);
    const kind = was
      ? was.zone === now.zone
        ? "shift"
        : "move"
      : turned
        ? "turn"
        : from
          ? "deal"
          : "appear";
    ways.set(id, { item: id, kind, from: from ?? now, to: now, element: now.element, ghost: false });
  }
  for (const [id, was] of before.things) {
    if (after.things.has(id) || was.element.isConnected || was.width === 0) continue;
    const goes = zoneOf.get(id) ?? "";
    const pile = after.piles.get(goes);
    // One that was turned up is seen to turn; what is not to be seen any more needs no farewell.
    if (!pile && was.hidden && !motions.some((motion) => motion.item === id)) continue;
    ways.set(id, {
      item: id,
      kind: pile ? "move" : "vanish",
      from: was,
      to: pile ?? was,
      element: ghostOf(stage, was),
      ghost: true,
    });
  }
  return ways;
}

/** The hidden thing that lay where this one lies now, and is gone: this is it, turned up. */
function turnedUp(before: Before, after: Before, now: Spot): Spot | undefined {
  if (now.hidden) return undefined;
  for (const [id, was] of before.things)
    if (
      was.hidden &&
      was.zone === now.zone &&
      !after.things.has(id) &&
      Math.hypot(was.x - now.x, was.y - now.y) < 8
    )
      return was;
  return undefined;
}

/** Put what is gone from the page on the stage, where it was. */
function ghostOf(stage: HTMLElement, { element, x, y, width, card }: Spot): HTMLElement {
  for (const one of [element, ...element.querySelectorAll<HTMLElement>("*")])
    for (const name of ["data-item", "data-touch", "data-stop", "data-moving", "id"])
      one.removeAttribute(name);
  const shell = document.createElement("div");
  const place = `left: ${x}px; top: ${y}px; width: ${width}px`;
  shell.style.cssText = `position: fixed; ${place}; translate: -50% -50%; --card: ${card};`;
  element.style.position = "relative";
  element.style.inset = "auto";
  shell.append(element);
  stage.append(shell);
  return shell;
}

type Run = (element: Element, frames: Keyframe[], from: number, lasts: number, easing?: string) => void;
/** At which part of its way a thing that goes somewhere else first is there. */
const STRIKES_AT = 0.5;

/** Let a thing go its way, by a goal where it strikes something first. */
function travel(
  { from, to, element, ghost, kind }: Way,
  step: Step,
  goal: { x: number; y: number } | undefined,
  run: Run,
): void {
  // A ghost stands where it was, everything else where it goes.
  const base = ghost ? from : to;
  const own = ghost ? "-50% -50%" : "0 0";
  const at = (spot: { x: number; y: number }): string =>
    ghost
      ? `calc(${spot.x - base.x}px - 50%) calc(${spot.y - base.y}px - 50%)`
      : `${spot.x - base.x}px ${spot.y - base.y}px`;
  const large = String(from.width / base.width || 1);
  const there = String(to.width / base.width || 1);
  const first: Keyframe = { translate: at(from), scale: large };
  const last: Keyframe =
    ghost && kind === "vanish" ? { translate: own, opacity: 0 } : { translate: at(to), scale: there };
  if (step.kind === "fall") {
    const frames =
      ghost && kind === "vanish"
        ? [
            { translate: own, rotate: "0deg" },
            { translate: `-50% calc(-50% - 6px)`, rotate: "-4deg", offset: 0.2 },
            { translate: "-50% calc(-50% + 46px)", rotate: "24deg", scale: "0.8", opacity: 0 },
          ]
        : [
            first,
            { ...first, rotate: "-5deg", offset: 0.18 },
            { ...first, rotate: "5deg", offset: 0.32 },
            { ...last, rotate: "0deg" },
          ];
    run(element, frames, step.at, step.lasts);
  } else if (step.kind === "turn") run(element, [{ scale: "0 1" }, { scale: "1 1" }], step.at, step.lasts);
  else if (kind === "appear")
    run(
      element,
      [
        { opacity: 0, translate: "0 -12px" },
        { opacity: 1, translate: "0 0" },
      ],
      step.at,
      step.lasts,
    );
  else if (goal && (step.kind === "strike" || step.kind === "throw")) {
    const turns = step.kind === "throw" ? "540deg" : "0deg";
    const by: Keyframe = {
      translate: at(goal),
      scale: step.kind === "throw" ? "0.85" : "1.08",
      rotate: turns,
      offset: STRIKES_AT,
      easing: EASE,
    };
    run(
      element,
      [{ ...first, rotate: "0deg", easing: "cubic-bezier(.4,0,.9,.6)" }, by, { ...last, rotate: turns }],
      step.at,
      step.lasts,
      "linear",
    );
  } else
    run(
      element,
      step.kind === "throw"
        ? [
            { ...first, rotate: "-360deg" },
            { ...last, rotate: "0deg" },
          ]
        : [first, last],
      step.at,
      step.lasts,
    );
  if (ghost) run(element, [{ opacity: 1 }, { opacity: 1 }], 0, step.at + step.lasts, "linear");
}

const sprite = (stage: HTMLElement, kind: string, x: number, y: number): HTMLElement => {
  const one = document.createElement("span");
  one.className = kind;
  one.style.left = `${x}px`;
  one.style.top = `${y}px`;
  stage.append(one);
  return one;
};

/**
 * A ball flies in an arc, larger where it is nearer to who looks; smoke where it left, a flash where it
 * lands.
 */
function fire(
  stage: HTMLElement,
  from: { x: number; y: number },
  to: { x: number; y: number },
  { at, lasts }: Step,
  run: Run,
): void {
  const far = Math.hypot(to.x - from.x, to.y - from.y);
  const rise = Math.min(150, 24 + far * 0.28);
  const frames: Keyframe[] = Array.from({ length: 13 }, (_, n) => {
    const part = n / 12;
    const lift = 4 * part * (1 - part);
    const x = (to.x - from.x) * part;
    const y = (to.y - from.y) * part - rise * lift;
    return {
      translate: `calc(${x}px - 50%) calc(${y}px - 50%)`,
      scale: String(0.75 + 0.75 * lift),
      opacity: n === 12 ? 0 : 1,
    };
  });
  run(sprite(stage, "ball", from.x, from.y), frames, at, lasts, "linear");
  run(
    sprite(stage, "smoke", from.x, from.y),
    [
      { scale: "0.3", opacity: 0.9 },
      { scale: "1.7", opacity: 0 },
    ],
    at,
    1.8,
  );
  run(
    sprite(stage, "flash", to.x, to.y),
    [
      { scale: "0.2", opacity: 1 },
      { scale: "1.5", opacity: 0 },
    ],
    at + lasts,
    1.2,
  );
}

/** A moment: a ring goes out from where it happens, and what weighs more shakes the table. */
function hold(
  stage: HTMLElement,
  root: HTMLElement,
  { x, y }: { x: number; y: number },
  { at, weight }: Step,
  run: Run,
): void {
  const lasts = HOLD * weight;
  const ring = sprite(stage, "ring", x, y);
  run(
    ring,
    [
      { scale: "0.3", opacity: 1 },
      { scale: String(1 + weight), opacity: 0 },
    ],
    at,
    lasts,
  );
  const table = root.firstElementChild;
  if (weight < 2 || !table) return;
  const frames = [0, -1, 0, -0.7, 0, -0.4, 0].map((part) => ({
    translate: `${part * 3 * weight}px ${part * weight}px`,
  }));
  run(table, frames, at, lasts / 2, "linear");
}

/** Pieces fly off where something falls. */
function crumble(
  stage: HTMLElement,
  { x, y, width }: { x: number; y: number; width: number },
  { at }: Step,
  run: Run,
): void {
  for (let n = 0; n < DEBRIS; n++) {
    const angle = Math.PI * (1.1 + (0.8 * n) / (DEBRIS - 1));
    const reach = Math.min(width, 90) * (0.5 + ((n * 7) % 5) / 8);
    const [dx, dy] = [Math.cos(angle) * reach, Math.sin(angle) * reach];
    const shard = sprite(stage, "shard", x, y);
    run(
      shard,
      [
        { translate: "0 0", opacity: 1 },
        { translate: `${dx * 0.7}px ${dy * 0.8}px`, rotate: `${120 * (n % 3)}deg`, opacity: 1, offset: 0.45 },
        { translate: `${dx}px ${dy + 60}px`, rotate: `${240 * (n % 3) + 90}deg`, opacity: 0 },
      ],
      at,
      2.4,
      "cubic-bezier(.2,.6,.6,1)",
    );
  }
}

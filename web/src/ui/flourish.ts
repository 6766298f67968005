/** Celebrate: pennants fall over the page for two seconds. Nothing waits for it, and nothing is under it. */

const PENNANTS = 90;
const COLOURS = ["#f4c95d", "#d8534b", "#3f7bd6", "#3f9c61", "#f7efdc"];
const LASTS_MS = 2_600;
const FALL = 900; // pixels a second, a second

interface Pennant {
  x: number;
  y: number;
  dx: number;
  dy: number;
  size: number;
  turn: number;
  spin: number;
  colour: string;
}

/** Throw pennants up from both lower corners, over whatever is open. */
export function flourish(): void {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  if (!pen) return;
  canvas.setAttribute("aria-hidden", "true");
  canvas.style.cssText =
    "position: fixed; inset: 0; width: 100vw; height: 100vh; margin: 0; padding: 0; border: 0; " +
    "background: none; pointer-events: none; z-index: 1000;";
  const sharp = Math.min(2, devicePixelRatio);
  const [width, height] = [innerWidth, innerHeight];
  canvas.width = width * sharp;
  canvas.height = height * sharp;
  pen.scale(sharp, sharp);
  document.body.append(canvas);
  if ("showPopover" in canvas) {
    canvas.popover = "manual"; // over a dialog too
    canvas.showPopover();
  }
  const pennants: Pennant[] = Array.from({ length: PENNANTS }, (_, n) => {
    const side = n % 2 ? 1 : -1;
    return {
      x: side > 0 ? -10 : width + 10,
      y: height * (0.75 + 0.2 * Math.random()),
      dx: side * width * (0.12 + 0.5 * Math.random()),
      dy: -height * (0.75 + 0.65 * Math.random()),
      size: 9 + 9 * Math.random(),
      turn: Math.PI * 2 * Math.random(),
      spin: (Math.random() - 0.5) * 9,
      colour: COLOURS[n % COLOURS.length] ?? "#f4c95d",
    };
  });
  const began = performance.now();
  let before = began;
  const draw = (now: number): void => {
    const passed = Math.min(0.05, (now - before) / 1000);
    before = now;
    pen.clearRect(0, 0, width, height);
    pen.globalAlpha = Math.min(1, Math.max(0, (LASTS_MS - (now - began)) / 600));
    for (const one of pennants) {
      one.dy += FALL * passed;
      one.dx *= 1 - 0.9 * passed;
      one.x += one.dx * passed;
      one.y += one.dy * passed;
      one.turn += one.spin * passed;
      pen.save();
      pen.translate(one.x, one.y);
      pen.rotate(one.turn);
      pen.scale(1, Math.cos(one.turn * 1.7)); // they flutter
      pen.fillStyle = one.colour;
      pen.beginPath();
      pen.moveTo(-one.size, -one.size * 0.55);
      pen.lineTo(one.size, 0);
      pen.lineTo(-one.size, one.size * 0.55);
      pen.fill();
      pen.restore();
    }
    if (now - began < LASTS_MS) requestAnimationFrame(draw);
    else canvas.remove();
  };
  requestAnimationFrame(draw);
}

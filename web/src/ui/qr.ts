import { generate } from "lean-qr";

/** A text as a QR code: how many modules it is wide and high, and an SVG path of its dark ones. */
export interface Code {
  size: number;
  path: string;
}

/** Draw a text as a QR code, each run of dark modules as one bar. */
export function code(text: string): Code {
  const bitmap = generate(text);
  const { size } = bitmap;
  let path = "";
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const first = x;
      while (x < size && bitmap.get(x, y)) x += 1;
      if (x > first) path += `M${first} ${y}h${x - first}v1H${first}z`;
    }
  }
  return { size, path };
}

/** Turn a theme's table colour into a felt that light text can be read on. */

// Hue in degrees and chroma of the felts that have a name.
const NAMED: Record<string, readonly [number, number]> = {
  green: [162, 0.055],
  blue: [250, 0.06],
  red: [22, 0.075],
  purple: [305, 0.06],
  sand: [75, 0.045],
  brown: [60, 0.05],
  grey: [240, 0.012],
  gray: [240, 0.012],
  slate: [245, 0.025],
  teal: [195, 0.055],
};

function hueOf(hex: string): readonly [number, number] | undefined {
  const digits =
    /^#([0-9a-f]{6})$/i.exec(hex)?.[1] ?? /^#([0-9a-f]{3})$/i.exec(hex)?.[1]?.replace(/./g, "$&$&");
  if (!digits) return undefined;
  const channel = (at: number): number => {
    const part = parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  const [r, g, b] = [channel(0), channel(2), channel(4)];
  // To OKLab, of which only the colour plane matters here.
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const beta = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return [((Math.atan2(beta, a) * 180) / Math.PI + 360) % 360, Math.min(0.08, Math.hypot(a, beta))];
}

/** Return hue (degrees) and chroma of a felt: by name, by hex colour, by any word of the name, else green. */
export function felt(colour: string): { hue: number; chroma: number } {
  const word =
    colour
      .toLowerCase()
      .split(/[^a-z]+/)
      .find((part) => part in NAMED) ?? "green";
  const [hue, chroma] = hueOf(colour.trim()) ?? NAMED[word] ?? [162, 0.055];
  return { hue: Math.round(hue), chroma: Math.round(chroma * 1000) / 1000 };
}

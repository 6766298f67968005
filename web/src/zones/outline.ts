/** Trace the outline of cells that belong together, as an SVG path. */

/** A cell by its column and row, rows downwards. */
export type Cell = readonly [column: number, row: number];

export interface Pitch {
  /** The size of a cell, the gap to the next one included. */
  width: number;
  height: number;
  /** How far inside its cells the outline runs. */
  inset: number;
  /** The radius of its corners. */
  radius: number;
}

/** The way right, down, left, up: with the cells on its right hand an outline runs clockwise. */
const WAYS: readonly Cell[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];

interface Side {
  column: number;
  row: number;
  way: number;
}

const key = (column: number, row: number): string => `${column},${row}`;
const way = (side: Side): Cell => WAYS[side.way % 4] as Cell;

/** The sides of cells that no other cell of theirs lies behind, each from its first corner in its direction. */
function sides(cells: readonly Cell[]): Side[] {
  const held = new Set(cells.map(([column, row]) => key(column, row)));
  return cells.flatMap(([column, row]) => {
    const around: [boolean, Side][] = [
      [held.has(key(column, row - 1)), { column, row, way: 0 }],
      [held.has(key(column + 1, row)), { column: column + 1, row, way: 1 }],
      [held.has(key(column, row + 1)), { column: column + 1, row: row + 1, way: 2 }],
      [held.has(key(column - 1, row)), { column, row: row + 1, way: 3 }],
    ];
    return around.filter(([inner]) => !inner).map(([, side]) => side);
  });
}

/** The closed ways around the cells, and around the holes in them. */
function loops(cells: readonly Cell[]): Side[][] {
  const open = new Map<string, Side[]>();
  for (const side of sides(cells)) {
    const from = key(side.column, side.row);
    open.set(from, [...(open.get(from) ?? []), side]);
  }
  const found: Side[][] = [];
  const take = (from: string, after: number): Side | undefined => {
    const here = open.get(from) ?? [];
    // Where two cells meet at a corner only, turning right keeps to the same cell.
    const next = here.find((side) => side.way === (after + 1) % 4) ?? here[0];
    if (next)
      open.set(
        from,
        here.filter((side) => side !== next),
      );
    return next;
  };
  for (const from of open.keys()) {
    for (let side = take(from, 3); side; side = take(from, 3)) {
      const loop: Side[] = [];
      for (
        let at: Side | undefined = side;
        at;
        at = take(key(at.column + way(at)[0], at.row + way(at)[1]), at.way)
      )
        loop.push(at);
      found.push(loop);
    }
  }
  return found;
}

/**
 * Return the outline of some cells, a closed path for each loop, with round corners inside the cells' own
 * bounds.
 */
export function outline(cells: readonly Cell[], { width, height, inset, radius }: Pitch): string {
  const path: string[] = [];
  for (const loop of loops(cells)) {
    const corners = loop.flatMap((side, n) => {
      const before = loop[(n + loop.length - 1) % loop.length] as Side;
      if (before.way === side.way) return [];
      const [[ax, ay], [bx, by]] = [way(before), way(side)];
      // A quarter turn to the right of each direction lies the inside.
      const x = side.column * width + inset * (-ay - by);
      const y = side.row * height + inset * (ax + bx);
      return [`${x - ax * radius} ${y - ay * radius}Q${x} ${y} ${x + bx * radius} ${y + by * radius}`];
    });
    path.push(`M${corners.join("L")}Z`);
  }
  return path.join("");
}

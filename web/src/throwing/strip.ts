/** Arrange what lies beside the table that is thrown at. Pure. */

import type { Zone } from "../net/wire";

/**
 * Arrange areas in a strip: in one row, what is held between the piles; where there is
 * little room, what is held in rows of its own above all piles.
 */
export function strip(rows: readonly string[], zones: readonly Zone[], wide: boolean): string[] {
  const names = [...new Set(rows.flatMap((row) => row.trim().split(/\s+/)))].filter((name) =>
    zones.some((zone) => zone.layout.area === name),
  );
  const held = names.filter((name) =>
    zones.some((zone) => zone.layout.area === name && zone.kind !== "pile" && zone.kind !== "counter"),
  );
  const piles = names.filter((name) => !held.includes(name));
  const half = Math.ceil(piles.length / 2);
  if (wide) return [[...piles.slice(0, half), ...held, ...piles.slice(half)].join(" ")].filter(Boolean);
  const columns = Math.max(1, piles.length);
  return [...held.map((name) => Array(columns).fill(name).join(" ")), piles.join(" ")].filter(Boolean);
}

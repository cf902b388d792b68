/** A cell of a coarse paint (brand/brand-shape.ts), of which a mask has 8 by 11. */
const PAINT_CELL = 2.5;

/** Strokes along the painted cells of each row. A digit is half a row, from the nose outwards. */
export function paintPath(face: string, x: number, y: number): string {
  const rows = [...face].map((digit, row) => {
    const half = Number.parseInt(digit, 16).toString(2).padStart(4, '0');
    const cells = [...half].reverse().join('') + half;
    return Array.from(
      cells.matchAll(/1+/g),
      ({ 0: { length }, index }) =>
        `M${x + index * PAINT_CELL} ${y + (row + 0.5) * PAINT_CELL}h${length * PAINT_CELL}`,
    ).join('');
  });
  return rows.join('');
}

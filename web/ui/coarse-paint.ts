/** A cell of a coarse paint (brand/brand-shape.ts), of which a mask has 8 by 11. */
const PAINT_CELL = 2.5;

/** Strokes of a row by its digit, which is half of the row, from the nose outwards. */
const STROKES = Array.from({ length: 16 }, (_, digit) => {
  const half = digit.toString(2).padStart(4, '0');
  return [...([...half].reverse().join('') + half).matchAll(/1+/g)];
});

/** Strokes along the painted cells of each row. */
export function paintPath(face: string, x: number, y: number): string {
  let path = '';
  let middle = y + PAINT_CELL / 2;
  for (const digit of face) {
    for (const { 0: cells, index } of STROKES[Number.parseInt(digit, 16)] ?? [])
      path += `M${x + index * PAINT_CELL} ${middle}h${cells.length * PAINT_CELL}`;
    middle += PAINT_CELL;
  }
  return path;
}

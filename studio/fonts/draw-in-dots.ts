import { glyphOf, openFont } from './font-metrics.ts';
import { replaceTable } from './font-tables.ts';

/** A glyph on the face's grid, row by row from the top: 'O' is a dot. */
export type DotRows = readonly string[];

const GRID_STEP = 100;
const ON_CURVE = 1;
const X_SHORT = 2;
const Y_SHORT = 4;
const REPEATED = 8;
/** A short coordinate is positive, or a long one stays the same. */
const X_SAME = 16;
const Y_SAME = 32;

type Point = { readonly x: number; readonly y: number; readonly isOnCurve: boolean };
type Contour = readonly Point[];

/** The new drawing may not become the glyph with the most points. */
export function drawInDots(sfnt: Buffer, character: string, rows: DotRows): Buffer {
  const font = openFont(sfnt);
  const glyph = glyphOf(font, character);
  const tableOf = (tag: string) => Buffer.from(font.face.referenceTable(tag) ?? []);
  const glyf = tableOf('glyf');
  const offsets = tableOf('loca');
  if (tableOf('head').readInt16BE(50) !== 0) throw new Error('The font has long glyph offsets.');
  const start = offsets.readUInt16BE(glyph * 2) * 2;
  const end = offsets.readUInt16BE(glyph * 2 + 2) * 2;
  const old = glyf.subarray(start, end);
  const [dot = []] = readContours(old);
  const contours = rows
    .toReversed()
    .flatMap((row, up) =>
      [...row].flatMap((place, right) => (place === 'O' ? [moveTo(dot, right, up)] : [])),
    );
  const drawn = writeContours(old.subarray(2, 10), contours);

  for (let at = (glyph + 1) * 2; at < offsets.length; at += 2)
    offsets.writeUInt16BE(offsets.readUInt16BE(at) + (drawn.length - old.length) / 2, at);
  const outlines = Buffer.concat([glyf.subarray(0, start), drawn, glyf.subarray(end)]);
  return replaceTable(replaceTable(sfnt, 'glyf', outlines), 'loca', offsets);
}

function readContours(glyph: Buffer): Contour[] {
  const ends = Array.from({ length: glyph.readInt16BE(0) }, (_, index) =>
    glyph.readUInt16BE(10 + index * 2),
  );
  let at = 10 + ends.length * 2;
  at += 2 + glyph.readUInt16BE(at);
  const count = (ends.at(-1) ?? -1) + 1;
  const flags: number[] = [];
  while (flags.length < count) {
    const flag = glyph.readUInt8(at++);
    const times = flag & REPEATED ? glyph.readUInt8(at++) : 0;
    for (let time = 0; time <= times; time++) flags.push(flag);
  }
  const readAxis = (short: number, same: number): number[] => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += glyph.readUInt8(at++) * (flag & same ? 1 : -1);
      else if (!(flag & same)) {
        value += glyph.readInt16BE(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = readAxis(X_SHORT, X_SAME);
  const ys = readAxis(Y_SHORT, Y_SAME);
  const points = flags.map((flag, index) => ({
    x: xs[index] ?? 0,
    y: ys[index] ?? 0,
    isOnCurve: (flag & ON_CURVE) !== 0,
  }));
  return ends.map((last, index) => points.slice((ends[index - 1] ?? -1) + 1, last + 1));
}

function moveTo(dot: Contour, column: number, row: number): Contour {
  const cell = (values: readonly number[]) => Math.floor(Math.min(...values) / GRID_STEP);
  const right = (column - cell(dot.map(({ x }) => x))) * GRID_STEP;
  const up = (row - cell(dot.map(({ y }) => y))) * GRID_STEP;
  return dot.map((point) => ({ ...point, x: point.x + right, y: point.y + up }));
}

/** A simple glyph without instructions, every coordinate in two bytes: WOFF2 packs them anyway. */
function writeContours(box: Buffer, contours: readonly Contour[]): Buffer {
  const points = contours.flat();
  let last = -1;
  const count = Buffer.alloc(2);
  count.writeInt16BE(contours.length);
  // The last two bytes are the length of the instructions: none.
  const ends = Buffer.alloc(contours.length * 2 + 2);
  contours.forEach(({ length }, index) => {
    last += length;
    ends.writeUInt16BE(last, index * 2);
  });
  const deltas = Buffer.alloc(points.length * 4);
  points.forEach(({ x, y }, index) => {
    const before = points[index - 1] ?? { x: 0, y: 0 };
    deltas.writeInt16BE(x - before.x, index * 2);
    deltas.writeInt16BE(y - before.y, (points.length + index) * 2);
  });
  const flags = Buffer.from(points.map(({ isOnCurve }) => (isOnCurve ? ON_CURVE : 0)));
  const glyph = Buffer.concat([count, box, ends, flags, deltas]);
  return Buffer.concat([glyph, Buffer.alloc(glyph.length % 2)]);
}

/** The charge of a picture: a grid of cells that take up light and lose it again. */
import { chargeFromStroke, decayCharge, type Stroke, shareLeft } from './charge-rules.ts';

export type Charges = {
  /** 0 to 1 for each cell, row by row. */
  readonly levels: Float32Array;
  decay(elapsedMs: number): void;
  /** `stroke` is in cells. Its light adds nothing where there is more already. */
  stroke(stroke: Stroke): void;
  isGlowing(): boolean;
};

export function openCharges(columns: number, rows: number): Charges {
  const levels = new Float32Array(columns * rows);
  return {
    levels,
    decay(elapsedMs) {
      const share = shareLeft(elapsedMs);
      for (let cell = 0; cell < levels.length; cell += 1) levels[cell] = decayCharge(levels[cell] ?? 0, share);
    },
    stroke(stroke) {
      const { fromX, fromY, toX, toY, reach } = stroke;
      const right = Math.min(columns, Math.max(fromX, toX) + reach);
      const bottom = Math.min(rows, Math.max(fromY, toY) + reach);
      for (let row = Math.max(0, Math.floor(Math.min(fromY, toY) - reach)); row < bottom; row += 1) {
        for (let column = Math.max(0, Math.floor(Math.min(fromX, toX) - reach)); column < right; column += 1) {
          const cell = row * columns + column;
          levels[cell] = Math.max(levels[cell] ?? 0, chargeFromStroke(stroke, column + 0.5, row + 0.5));
        }
      }
    },
    isGlowing: () => levels.some((level) => level > 0),
  };
}

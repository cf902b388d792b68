const DECAY_MS = 1100;

const DARK = 1 / 20;

/** The pointer's way between two frames and the reach of its light, in cells. */
type Stroke = {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
  readonly reach: number;
};

export function createGlow(columns: number, rows: number) {
  const levels = new Float32Array(columns * rows);
  return {
    levels,
    decay(elapsedMs: number): void {
      const share = Math.exp(-elapsedMs / DECAY_MS);
      for (let cell = 0; cell < levels.length; cell += 1) {
        const level = (levels[cell] ?? 0) * share;
        levels[cell] = level < DARK ? 0 : level;
      }
    },
    stroke(stroke: Stroke): void {
      const { fromX, fromY, toX, toY, reach } = stroke;
      const top = Math.max(0, Math.floor(Math.min(fromY, toY) - reach));
      const bottom = Math.min(rows, Math.max(fromY, toY) + reach);
      const left = Math.max(0, Math.floor(Math.min(fromX, toX) - reach));
      const right = Math.min(columns, Math.max(fromX, toX) + reach);
      for (let row = top; row < bottom; row += 1) {
        for (let column = left; column < right; column += 1) {
          const cell = row * columns + column;
          const light = lightOfStroke(stroke, column + 0.5, row + 0.5);
          levels[cell] = Math.max(levels[cell] ?? 0, light);
        }
      }
    },
    isGlowing: () => levels.some((level) => level > 0),
  };
}

function lightOfStroke({ fromX, fromY, toX, toY, reach }: Stroke, x: number, y: number): number {
  const dx = toX - fromX;
  const dy = toY - fromY;
  const length = dx * dx + dy * dy;
  const along =
    length === 0 ? 0 : Math.min(1, Math.max(0, ((x - fromX) * dx + (y - fromY) * dy) / length));
  const offX = x - fromX - along * dx;
  const offY = y - fromY - along * dy;
  const nearness = 1 - (offX * offX + offY * offY) / (reach * reach);
  return nearness <= 0 ? 0 : nearness * nearness;
}

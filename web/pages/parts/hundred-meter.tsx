import { MASK_EYES_PATH, MASK_SILHOUETTE_PATH } from '../../../brand/art/mask-silhouette.ts';

/** SPEC 9: only so many masks. */
export const HUNDRED = 100;

/** Mask cells of 20 x 28 with room between them. */
const CELL = { width: 24, height: 34 };
const GAP = { x: 4, y: 6 };
const MASK_WITH_EYES = MASK_SILHOUETTE_PATH + MASK_EYES_PATH;

/** One small mask for each real one, in the shape that suits the width. `lit` is the place, 1 to 100, that is charged. */
export function HundredMeter({ lit = null }: { lit?: number | null }) {
  return (
    <>
      <MaskGrid columns={20} lit={lit} />
      <MaskGrid columns={25} lit={lit} />
    </>
  );
}

function MaskGrid({ columns, lit }: { columns: 20 | 25; lit: number | null }) {
  const rows = HUNDRED / columns;
  const width = columns * CELL.width - GAP.x;
  const height = rows * CELL.height - GAP.y;
  const pattern = `mask-cell-${columns}`;
  return (
    <svg className={`hundred hundred-${columns}`} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <pattern id={pattern} width={CELL.width} height={CELL.height} patternUnits="userSpaceOnUse">
        <path className="hundred-masks" fillRule="evenodd" d={MASK_WITH_EYES} />
      </pattern>
      <rect width={width} height={height} fill={`url(#${pattern})`} />
      {lit !== null && (
        <path
          className="hundred-lit"
          fillRule="evenodd"
          d={MASK_WITH_EYES}
          transform={`translate(${((lit - 1) % columns) * CELL.width} ${Math.floor((lit - 1) / columns) * CELL.height})`}
        />
      )}
    </svg>
  );
}

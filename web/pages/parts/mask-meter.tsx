import { MASK_EYES_PATH, MASK_SILHOUETTE_PATH } from '../../../brand/art/mask-silhouette.ts';
import { brand } from '../../../brand/brand.ts';

/** Mask cells of 20 x 28, with gaps. */
const CELL = { width: 24, height: 34 };
const GAP = { x: 4, y: 6 };
const MASK_WITH_EYES = MASK_SILHOUETTE_PATH + MASK_EYES_PATH;

type MaskMeterProps = {
  /** How many masks there are. */
  readonly count?: number;
  /** The position that lights its mask: 1 to `count`. */
  readonly lit?: number | null;
};

/** One small mask for each real one. The styles show the grid that suits the width. */
export function MaskMeter({ count = brand.maskCount, lit = null }: MaskMeterProps) {
  return (
    <>
      <MaskGrid columns={20} count={count} lit={lit} />
      <MaskGrid columns={25} count={count} lit={lit} />
    </>
  );
}

type MaskGridProps = Required<MaskMeterProps> & { readonly columns: 20 | 25 };

function MaskGrid({ columns, count, lit }: MaskGridProps) {
  const fullRows = Math.floor(count / columns);
  const inLastRow = count % columns;
  const width = columns * CELL.width - GAP.x;
  const height = Math.ceil(count / columns) * CELL.height - GAP.y;
  const [litColumn, litRow] =
    lit === null ? [0, 0] : [(lit - 1) % columns, Math.floor((lit - 1) / columns)];
  const pattern = `mask-cell-${columns}`;
  const fill = `url(#${pattern})`;
  return (
    <svg
      className={`mask-meter mask-meter-${columns}`}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      <pattern id={pattern} width={CELL.width} height={CELL.height} patternUnits="userSpaceOnUse">
        <path className="mask-meter-unlit" fillRule="evenodd" d={MASK_WITH_EYES} />
      </pattern>
      {fullRows > 0 && <rect width={width} height={fullRows * CELL.height - GAP.y} fill={fill} />}
      {inLastRow > 0 && (
        <rect
          y={fullRows * CELL.height}
          width={inLastRow * CELL.width - GAP.x}
          height={CELL.height - GAP.y}
          fill={fill}
        />
      )}
      {lit !== null && (
        <path
          className="mask-meter-lit"
          fillRule="evenodd"
          d={MASK_WITH_EYES}
          transform={`translate(${litColumn * CELL.width} ${litRow * CELL.height})`}
        />
      )}
    </svg>
  );
}

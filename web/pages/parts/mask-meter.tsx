import { useLayoutEffect, useRef } from 'react';
import { MASK_SILHOUETTE_PATH } from '../../../brand/art/mask-silhouette.ts';
import { brand } from '../../../brand/brand.ts';
import { MASK_CELL } from './mask-cell.ts';

const CELL = { width: 24, height: 34 };
const GAP = { x: 4, y: 6 };
/** Places behind the last mask at which the trail ends. */
const TRAIL_END = 100_000;
/** Duration of --decay-slow. */
const TRAVEL_MS = 1100;
/** A constant object: React would parse the dots again for a new one. */
const CELL_HTML = { __html: MASK_CELL };

type MaskMeterProps = {
  readonly count?: number;
  readonly position?: number | null;
  readonly hasTrail?: boolean;
};

/** One small mask for each real one. The styles show the grid that suits the width. */
export function MaskMeter({
  count = brand.maskCount,
  position = null,
  hasTrail = false,
}: MaskMeterProps) {
  const props = { count, position, hasTrail };
  return (
    <>
      <MaskGrid columns={20} {...props} />
      <MaskGrid columns={25} {...props} />
    </>
  );
}

type MaskGridProps = Required<MaskMeterProps> & { readonly columns: 20 | 25 };

function MaskGrid({ columns, count, position, hasTrail }: MaskGridProps) {
  const fullRows = Math.floor(count / columns);
  const inLastRow = count % columns;
  const width = columns * CELL.width - GAP.x;
  const rows = Math.ceil(count / columns);
  const height = rows * CELL.height - GAP.y;
  const pattern = `mask-cell-${columns}`;
  const fill = `url(#${pattern})`;
  const isOnTrail = position !== null && position > count;
  const [x, y] = isOnTrail
    ? [Math.round((width - 20) * trailShare(position - count)), rows * CELL.height]
    : [
        (((position ?? 1) - 1) % columns) * CELL.width,
        Math.floor(((position ?? 1) - 1) / columns) * CELL.height,
      ];
  const trailY = height + CELL.height / 2 + GAP.y / 2;
  return (
    <svg
      className={`mask-meter mask-meter-${columns}`}
      viewBox={`0 0 ${width} ${hasTrail ? height + CELL.height : height}`}
      aria-hidden="true"
    >
      <pattern id={pattern} width={CELL.width} height={CELL.height} patternUnits="userSpaceOnUse">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by this site. */}
        <g className="mask-meter-unlit" dangerouslySetInnerHTML={CELL_HTML} />
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
      {hasTrail && <path className="mask-trail" d={`M3 ${trailY}H${isOnTrail ? x - 6 : width}`} />}
      {isOnTrail && <path className="mask-trail charged" d={`M${width - 3} ${trailY}H${x + 24}`} />}
      {position !== null && <LitMask x={x} y={y} />}
    </svg>
  );
}

function LitMask({ x, y }: { x: number; y: number }) {
  const mask = useRef<SVGGElement>(null);
  const last = useRef({ x, y });

  useLayoutEffect(() => {
    const { x: lastX, y: lastY } = last.current;
    last.current = { x, y };
    if ((lastX === x && lastY === y) || 'quiet' in document.documentElement.dataset) return;
    const moves = [
      { transform: `translate(${lastX}px, ${lastY}px)` },
      { transform: `translate(${x}px, ${y}px)` },
    ];
    mask.current?.animate(moves, { duration: TRAVEL_MS, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' });
  }, [x, y]);

  return (
    <g ref={mask} className="mask-meter-lit" transform={`translate(${x} ${y})`}>
      <path className="mask-meter-ground" d={MASK_SILHOUETTE_PATH} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by this site. */}
      <g dangerouslySetInnerHTML={CELL_HTML} />
    </g>
  );
}

/** Share of the trail: 1 is beside the masks. Logarithmic, so that every place can be shown. */
function trailShare(places: number): number {
  return 1 - Math.min(1, Math.log(places) / Math.log(TRAIL_END));
}

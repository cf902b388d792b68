import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { MASK_EYES_PATH, MASK_SILHOUETTE_PATH } from '../../../brand/art/mask-silhouette.ts';
import { brand } from '../../../brand/brand.ts';
import { paintPath } from '../../ui/coarse-paint.ts';
import { untilIdle } from '../../ui/when-idle.ts';

const CELL = { width: 24, height: 34 };
const GAP = { x: 4, y: 6 };
const SOLID = 'fffffffffff';
/** Places behind the last mask at which the trail ends. */
const TRAIL_END = 100_000;
/** Duration of --decay-slow. */
const TRAVEL_MS = 1100;
const REFRESH_MS = 30_000;
/** Covers what is outside of a mask, and its eyes: paint ends at the edge. */
const CUT = `M-2-3h24v34h-24Z${MASK_SILHOUETTE_PATH}${MASK_EYES_PATH}`;

type MaskMeterProps = {
  readonly count?: number;
  readonly position?: number | null;
  /** Coarse paint of the member at the position. */
  readonly paint?: string;
  readonly hasTrail?: boolean;
};

/** One small mask for each real one. The styles show the grid that suits the width. */
export function MaskMeter({
  count = brand.maskCount,
  position = null,
  paint = '',
  hasTrail = false,
}: MaskMeterProps) {
  const faces = placeOwn(useFaces(position) ?? [], paint, (position ?? 0) - 1);
  const props = { count, position, paint, hasTrail, faces };
  return (
    <>
      <MaskGrid columns={10} {...props} />
      <MaskGrid columns={25} {...props} />
    </>
  );
}

/**
 * The coarse paint of the first in line, in an order that tells no position. It is read again after
 * each move of the member and, while the page is visible, every 30 seconds. Null until the first
 * read has ended; empty if it failed.
 */
export function useFaces(position: number | null = null): readonly string[] | null {
  const [faces, setFaces] = useState<readonly string[] | null>(null);
  // A page that is still loading learns the first position, which is no move.
  const [first, setFirst] = useState(position);
  if (first === null && position !== null) setFirst(position);
  const movedTo = position === first ? null : position;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a move may change the faces.
  useEffect(() => {
    let isWanted = true;

    /** A failed read changes nothing. */
    const load = () => {
      if (document.visibilityState === 'hidden') return;
      import('../../api/waitlist.ts')
        .then(({ getFaces }) => getFaces())
        .then(
          (fresh) => isWanted && setFaces(fresh.faces),
          () => isWanted && setFaces((faces) => faces ?? []),
        );
    };
    void untilIdle().then(() => isWanted && load());
    const timer = setInterval(load, REFRESH_MS);
    return () => {
      isWanted = false;
      clearInterval(timer);
    };
  }, [movedTo]);

  return faces;
}

/** Swaps the member's own face with the face at their position. */
function placeOwn(faces: readonly string[], own: string, index: number): readonly string[] {
  const from = faces.indexOf(own);
  const other = faces[index];
  const placed = [...faces];
  if (from >= 0 && other !== undefined) [placed[from], placed[index]] = [other, own];
  return placed;
}

type MaskGridProps = Required<MaskMeterProps> & {
  readonly columns: 10 | 25;
  readonly faces: readonly string[];
};

function MaskGrid({ columns, count, position, paint, hasTrail, faces }: MaskGridProps) {
  const width = columns * CELL.width - GAP.x;
  const rows = Math.ceil(count / columns);
  const height = rows * CELL.height - GAP.y;
  const lastRowY = (rows - 1) * CELL.height;
  const lastRowWidth = (count - (rows - 1) * columns) * CELL.width - GAP.x;
  const area = `M0 0H${width}V${lastRowY}H${lastRowWidth}V${height}H0Z`;
  const placeOf = (index: number): [x: number, y: number] => [
    (index % columns) * CELL.width,
    Math.floor(index / columns) * CELL.height,
  ];
  const isOnTrail = position !== null && position > count;
  const [x, y] = isOnTrail
    ? [Math.round((width - 20) * trailShare(position - count)), rows * CELL.height]
    : placeOf((position ?? 1) - 1);
  const own = isOnTrail ? SOLID : paint;
  const trailY = height + CELL.height / 2 + GAP.y / 2;
  const pattern = `mask-cut-${columns}`;
  return (
    <svg
      className={`mask-meter mask-meter-${columns}`}
      viewBox={`0 0 ${width} ${hasTrail ? height + CELL.height : height}`}
      aria-hidden="true"
    >
      <pattern id={pattern} {...CELL} x={-2} y={-3} patternUnits="userSpaceOnUse">
        <path className="mask-meter-cut" transform="translate(2 3)" d={CUT} />
      </pattern>
      <path className="mask-meter-unlit" d={area} />
      <path
        className="mask-meter-paint"
        d={faces
          .slice(0, count)
          .map((face, index) => paintPath(face, ...placeOf(index)))
          .join('')}
      />
      <path fill={`url(#${pattern})`} d={area} />
      {hasTrail && <path className="mask-trail" d={`M3 ${trailY}H${isOnTrail ? x - 6 : width}`} />}
      {isOnTrail && <path className="mask-trail charged" d={`M${width - 3} ${trailY}H${x + 24}`} />}
      {position !== null && <LitMask x={x} y={y} paint={paintPath(own, 0, 0)} />}
    </svg>
  );
}

function LitMask({ x, y, paint }: { x: number; y: number; paint: string }) {
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
      <path className="mask-meter-paint" d={paint} />
      <path className="mask-meter-cut" d={CUT} />
      <path className="mask-meter-outline" d={MASK_SILHOUETTE_PATH} />
    </g>
  );
}

/** Share of the trail: 1 is beside the masks. Logarithmic, so that every place can be shown. */
function trailShare(places: number): number {
  return 1 - Math.min(1, Math.log(places) / Math.log(TRAIL_END));
}

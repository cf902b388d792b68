import { type ReactNode, useEffect, useState } from 'react';
import { brand } from '../../../brand/brand.ts';
import { Badge } from '../../ui/badge.tsx';
import { DotNumber } from '../../ui/numerals/dot-number.tsx';
import { MaskMeter } from '../parts/mask-meter.tsx';
import { countPlacesToGo, describeMove } from './progress-rules.ts';

type PositionCardProps = {
  readonly position: number;
  /** Position that this browser showed last, from which the digits count. */
  readonly lastPosition: number | undefined;
  /** All members in line, or what the place counts for; '' if unknown. */
  readonly counted: string;
  readonly news: string;
  /** Path of a picture that shows the news, if it is worth sharing. */
  readonly picture: string | null;
  readonly note: string | undefined;
};

export function PositionCard({
  position,
  lastPosition,
  counted,
  news,
  picture,
  note,
}: PositionCardProps) {
  return (
    <div className="position-card">
      <PositionHeading>
        <DotNumber prefix="#" value={position} from={lastPosition} />
      </PositionHeading>
      {counted && <p className="position-total">{counted}</p>}
      <MoveChip position={position} lastPosition={lastPosition} />
      <PositionNote news={news} picture={picture} note={note} />
    </div>
  );
}

export function PositionHeading({ children }: { children: ReactNode }) {
  return (
    <h1>
      <span className="position-member">{brand.specified.memberName}</span> {children}{' '}
      <span className="position-in-line">in line</span>
    </h1>
  );
}

export function PositionLoading() {
  return (
    <div className="position-card">
      <div role="status">
        <h1 className="position-member">{brand.specified.statusLoading}</h1>
      </div>
      {/* Has the size of the number, which must not become the largest paint. */}
      <div className="dot-number dot-number-unlit" aria-hidden="true">
        <span className="dot-number-digit" data-digit="#000" />
      </div>
      <div className="position-in-line">{'\u00a0'}</div>
      <PositionNote />
    </div>
  );
}

export function PositionNote({
  news = '',
  picture = null,
  note = '',
}: Partial<Pick<PositionCardProps, 'news' | 'picture' | 'note'>>) {
  return (
    <p className={news === '' ? 'position-note' : 'position-note position-news'}>
      <span>{news || note}</span>{' '}
      {picture && (
        <a href={picture} download>
          Save the picture
        </a>
      )}
    </p>
  );
}

/** Duration of the chip, which is that of a toast. */
const SHOWN_MS = 5000;

type MoveChipProps = { readonly position: number; readonly lastPosition: number | undefined };

function MoveChip({ position, lastPosition = position }: MoveChipProps) {
  const [move, setMove] = useState({ position, places: lastPosition - position });
  if (move.position !== position) setMove({ position, places: move.position - position });
  const { places } = move;

  useEffect(() => {
    if (places === 0) return;
    const timer = setTimeout(() => setMove({ position, places: 0 }), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [position, places]);

  return (
    places !== 0 && (
      // ChangeAnnouncement has the text for screen readers.
      <div className="move-chip" aria-hidden="true">
        <Badge tone={places > 0 ? 'charged' : 'plain'}>{describeMove(places)}</Badge>
      </div>
    )
  );
}

type HundredProps = {
  readonly position: number | null;
  readonly paint?: string;
  readonly text?: string;
};

export function Hundred({ position, paint = '', text }: HundredProps) {
  const { maskCount } = brand;
  const isTop = position !== null && position <= maskCount;
  const place = isTop ? `In the top ${maskCount}` : position !== null && countPlacesToGo(position);
  return (
    <div className="position-meter">
      <p className="label meter-caption">
        <span>{brand.copy.meterTitle}</span>
        {(text ?? place) && (
          <span className={position === null ? '' : 'charged'}>{text ?? place}</span>
        )}
      </p>
      <MaskMeter position={position} paint={paint} hasTrail />
    </div>
  );
}

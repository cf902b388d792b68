import { useEffect, useState } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { writeNumber } from '../../../ui/numerals/write-number.ts';

/** As long as a toast. */
const SHOWN_MS = 5000;

type MoveChipProps = { readonly position: number; readonly lastPosition: number | undefined };

/** For a while after each move: by how many places. */
export function MoveChip({ position, lastPosition = position }: MoveChipProps) {
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
      // The change is announced beside it.
      <div className="move-chip" aria-hidden="true">
        <Badge tone={places > 0 ? 'charged' : 'plain'}>{describeMove(places)}</Badge>
      </div>
    )
  );
}

/** `places`: negative when others went ahead. */
export function describeMove(places: number): string {
  const count = Math.abs(places);
  return `${writeNumber(count)} ${count === 1 ? 'place' : 'places'} ${places > 0 ? 'up' : 'back'}`;
}

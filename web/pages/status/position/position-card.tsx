import { brand } from '../../../../brand/brand.ts';
import { DotNumber } from '../../../ui/numerals/dot-number.tsx';
import { MoveChip } from './move-chip.tsx';

type PositionCardProps = {
  readonly position: number;
  /** The position that this browser showed last, if any: the digits count from it. */
  readonly lastPosition: number | undefined;
  /** What happened since then; empty when nothing did. */
  readonly news: string;
};

/** '#position in line', and what it is good for. */
export function PositionCard({ position, lastPosition, news }: PositionCardProps) {
  return (
    <div className="position-card">
      <h1>
        <span className="position-member">{brand.specified.memberName}</span>{' '}
        <DotNumber prefix="#" value={position} from={lastPosition} />{' '}
        <span className="position-in-line">in line</span>
      </h1>
      <MoveChip position={position} lastPosition={lastPosition} />
      <PositionNote news={news} />
    </div>
  );
}

/** The card at its final height, with the number unlit. */
export function PositionLoading() {
  return (
    <div className="position-card">
      <div role="status">
        <h1 className="position-member">{brand.specified.statusLoading}</h1>
      </div>
      {/* As large as the number will be, so that the number is not the largest paint. */}
      <div className="dot-number dot-number-unlit" aria-hidden="true">
        <span className="dot-number-digit" data-digit="#000" />
      </div>
      <div className="position-in-line">{'\u00a0'}</div>
      <PositionNote news="" />
    </div>
  );
}

function PositionNote({ news }: { news: string }) {
  return (
    <p className={news === '' ? 'position-note' : 'position-note position-news'}>
      {news || `The top ${brand.maskCount} get early shop access and a chance at limited masks.`}
    </p>
  );
}

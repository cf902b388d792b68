import { brand } from '../../../brand/brand.ts';
import { DotNumber } from '../../ui/numerals/dot-number.tsx';
import { MaskMeter } from '../parts/mask-meter.tsx';

type PositionCardProps = {
  readonly position: number;
  /** The position that this browser showed last, if any: the digits settle from it. */
  readonly lastPosition: number | undefined;
};

/** SPEC 2: '#position in line', and how far that is from early access. */
export function PositionCard({ position, lastPosition }: PositionCardProps) {
  const isInTop = position <= brand.maskCount;
  return (
    <div className="position-card">
      <h1>
        <span className="position-member">{brand.specified.memberName}</span>{' '}
        <DotNumber
          prefix="#"
          value={position}
          from={lastPosition === position ? undefined : lastPosition}
        />{' '}
        <span className="position-in-line">in line</span>
      </h1>
      <div className="position-meter">
        <p className="label meter-caption">
          <span>{brand.copy.meterTitle}</span>
          <span className="charged">
            {isInTop ? `In the top ${brand.maskCount}` : countPlacesToGo(position)}
          </span>
        </p>
        <MaskMeter lit={isInTop ? position : null} />
        <p className="quiet">
          The top {brand.maskCount} get early shop access and a chance at limited masks.
        </p>
      </div>
    </div>
  );
}

export function countPlacesToGo(position: number): string {
  const places = position - brand.maskCount;
  return places === 1 ? '1 place to go' : `${writeNumber(places)} places to go`;
}

let numberFormat: Intl.NumberFormat | undefined;

/** Kept, because `toLocaleString` looks the language up each time: 50 ms on a phone. */
function writeNumber(value: number): string {
  numberFormat ??= new Intl.NumberFormat(brand.language);
  return numberFormat.format(value);
}

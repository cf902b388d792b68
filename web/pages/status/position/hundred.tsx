import { brand } from '../../../../brand/brand.ts';
import { writeNumber } from '../../../ui/numerals/write-number.ts';
import { MaskMeter } from '../../parts/mask-meter.tsx';

/** How far the position is from early access. `position`: null until it is known. */
export function Hundred({ position }: { position: number | null }) {
  return (
    <div className="position-meter">
      <p className="label meter-caption">
        <span>{brand.copy.meterTitle}</span>
        {position !== null && (
          <span className="charged">
            {position <= brand.maskCount
              ? `In the top ${brand.maskCount}`
              : countPlacesToGo(position)}
          </span>
        )}
      </p>
      <MaskMeter position={position} hasTrail />
    </div>
  );
}

export function countPlacesToGo(position: number): string {
  const places = position - brand.maskCount;
  return places === 1 ? '1 place to go' : `${writeNumber(places)} places to go`;
}

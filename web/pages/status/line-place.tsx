import { brand } from '../../../brand/brand.ts';
import { DotNumber } from '../../ui/dot-number.tsx';
import { HUNDRED, HundredMeter } from '../parts/hundred-meter.tsx';

type LinePlaceProps = {
  readonly position: number;
  /** The position that the member saw last, if any: the number settles from there to where they are. */
  readonly lastPosition: number | undefined;
};

/** SPEC 2: the '#position in line', and how far that is from the first hundred. */
export function LinePlace({ position, lastPosition }: LinePlaceProps) {
  const isInHundred = position <= HUNDRED;
  return (
    <div className="status-place">
      <h1>
        <span className="status-member">{brand.specified.memberName}</span>{' '}
        <DotNumber prefix="#" value={position} from={lastPosition === position ? undefined : lastPosition} />{' '}
        <span className="status-in-line">in line</span>
      </h1>
      <div className="status-hundred">
        <p className="label hundred-caption">
          <span>The Hundred</span>
          <span className="charged">{isInHundred ? `In the top ${HUNDRED}` : countPlacesToGo(position)}</span>
        </p>
        <HundredMeter lit={isInHundred ? position : null} />
        <p className="quiet">The top {HUNDRED} get early shop access and a chance at limited masks.</p>
      </div>
    </div>
  );
}

export function countPlacesToGo(position: number): string {
  const places = position - HUNDRED;
  return places === 1 ? '1 place to go' : `${writeNumber(places)} places to go`;
}

let numbers: Intl.NumberFormat | undefined;

/** One format for good: a phone takes a twentieth of a second to look up how a language writes numbers, at every `toLocaleString` again. */
function writeNumber(value: number): string {
  numbers ??= new Intl.NumberFormat(brand.language);
  return numbers.format(value);
}

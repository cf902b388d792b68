import { EYE, type Segment, toSegment } from './mask-shape.ts';
import type { SeededRandom } from './seeded-random.ts';

/**
 * Whether paint covers a point of the mask, in the coordinates of mask-shape.ts. Eyes are at v -0.1
 * to -0.2, the mouth at 0.45 to 0.8, the chin at 1.16.
 */
export type Paint = (side: number, v: number) => boolean;

/** Bare margin of a dot and a half around a mark, so that it stands out from stripes. */
const MARK_MARGIN = 0.05;

/**
 * One of eight designed families with random proportions and marks on forehead and chin. Free noise
 * gives weak faces; a family keeps eyes and jaw readable.
 */
export function choosePaint(random: SeededRandom): Paint {
  const family = random.pick(FAMILIES)(random);
  const forehead = random.pick(FOREHEAD_MARKS);
  const chin = random.pick(CHIN_MARKS);
  return (side, v) => {
    const toMark = Math.min(forehead(side, v), chin(side, v));
    return toMark < MARK_MARGIN ? toMark < 0 : family(side, v);
  };
}

type Family = (random: SeededRandom) => Paint;

/** Slanted stripes over the whole face, pointing up or down, straight or bowed. */
const chevrons: Family = (random) => {
  const slope = random.pick([-1, -0.6, 0.45, 0.8]);
  const bow = random.pick([-0.5, 0, 0.5]);
  const perUnit = random.between(1.5, 2.9);
  const offset = random.between(0, 1);
  const share = random.between(0.4, 0.58);
  return (side, v) => fraction((v + slope * side + bow * side * side) * perUnit + offset) < share;
};

/** Three to five tapering slashes that lean across eye and cheek. */
const claws: Family = (random) => {
  const count = random.pick([3, 4, 5]);
  const lean = random.pick([-0.66, -0.44, 0.42, 0.62]);
  const width = random.between(0.3, 0.37) / count;
  const middleV = random.between(-0.2, 0.1);
  const shortening = random.between(0.02, 0.13);
  const slashes = Array.from({ length: count }, (_, index): Segment => {
    const middle = 0.12 + (index * 0.56) / (count - 1);
    const reach = 0.82 - index * shortening;
    return {
      x1: middle - lean / 2,
      y1: middleV - reach,
      x2: middle + lean / 2,
      y2: middleV + reach,
    };
  });
  return (side, v) =>
    slashes.some((slash) => {
      const { distance, along } = toSegment(side, v, slash);
      return distance < width * Math.sin(Math.PI * (0.1 + along * 0.8));
    });
};

/** A band across the eyes, straight or lowered along the nose, and a line below or above it. */
const visor: Family = (random) => {
  const slope = random.pick([-0.5, -0.3, 0, 0.3]) + random.between(-0.06, 0.06);
  const top = random.between(-0.46, -0.3);
  const bottom = random.between(0.04, 0.24);
  const beak = random.pick([0, 0.3, 0.62]);
  const lineAt = random.pick([bottom + 0.3, bottom + 0.48, top - 0.3]);
  const lineWidth = random.between(0.05, 0.12);
  return (side, v) => {
    const level = v - slope * (side - 0.3);
    const lowered = level - beak * Math.exp(-((side / 0.16) ** 2));
    return (level > top && lowered < bottom) || Math.abs(level - lineAt) < lineWidth;
  };
};

/** A stripe from crown to chin that swells, with fins along the temples. */
const spine: Family = (random) => {
  const waist = random.between(0.05, 0.17);
  const narrowestV = random.between(-0.5, 0.4);
  const flare = random.between(0.08, 0.3);
  const finSlope = random.pick([-1, -0.6, 0, 0.55]);
  const finBend = random.pick([-0.5, 0, 0.6]);
  const finsPerUnit = random.between(1.7, 3.3);
  const offset = random.between(0, 1);
  const finShare = random.between(0.4, 0.6);
  const finsFrom = random.between(0.32, 0.52);
  return (side, v) => {
    const stripe = waist + flare * (v - narrowestV) ** 2;
    if (side < stripe) return true;
    const isFin =
      fraction((v + finSlope * side + finBend * side * side) * finsPerUnit + offset) < finShare;
    return isFin && side > Math.max(finsFrom, stripe + 0.1);
  };
};

/** The lower face up to a toothed edge, with a blade through each eye or a brow over both. */
const fangs: Family = (random) => {
  const edge = random.between(0.06, 0.34);
  const toothHeight = random.between(0.12, 0.34);
  const teeth = random.pick([1.2, 2.4, 3.6, 4.8]);
  const rise = random.pick([-0.45, -0.15, 0.2]);
  const isBrowed = random.chance(0.5);
  const width = random.between(0.07, 0.13);
  const bladeAt = random.between(0.3, 0.46);
  const bladeLean = random.between(-0.14, 0.14);
  const browV = random.between(-0.52, -0.4);
  const browRise = random.between(0.1, 0.6);
  return (side, v) => {
    if (v > edge + rise * side + toothHeight * zigzag(side * teeth)) return true;
    if (isBrowed) return Math.abs(v - browV + browRise * (side - 0.3)) < width * (0.6 + side);
    return Math.abs(side - bladeAt - bladeLean * v) < width * (1 - ((v + 0.62) / 0.52) ** 2);
  };
};

/** Lightning: broad bands with a zigzag edge. */
const bolts: Family = (random) => {
  const perUnit = random.between(1.15, 1.75);
  const height = random.pick([-0.4, -0.24, 0.24, 0.4]);
  const teeth = random.between(1.2, 2.8);
  const drop = random.between(-0.35, 0.35);
  const offset = random.between(0, 1);
  const share = random.between(0.42, 0.56);
  return (side, v) =>
    fraction((v + drop * side + height * zigzag(side * teeth)) * perUnit + offset) < share;
};

/** Two to four almond rings around each eye. */
const halos: Family = (random) => {
  const perUnit = random.between(2.5, 4.1);
  const rings = random.pick([2, 3, 4]);
  const share = random.between(0.4, 0.62);
  const gap = random.between(0.015, 0.1);
  const lift = random.between(-0.05, 0.35);
  return (side, v) => {
    const fromEye = toSegment(side, v, EYE).distance * (1 + lift * Math.sign(v + 0.16)) - gap;
    return fromEye > 0 && fromEye * perUnit < rings && fraction(fromEye * perUnit) < share;
  };
};

/** A wedge that falls from each eye to the jaw, whole or split, and a horn up to the crown. */
const tears: Family = (random) => {
  const at = random.between(0.32, 0.46);
  const tearWidth = random.between(0.15, 0.27);
  const hornWidth = random.between(0.1, 0.27);
  const drift = random.between(-0.26, 0.16);
  const hornDrift = random.between(-0.34, 0.3);
  const tearEnd = random.between(0.55, 1.1);
  const hornLength = random.between(0.5, 0.95);
  const taper = random.pick([0.45, 0.8, 1.3]);
  const split = random.pick([0, 0, 0.035]);
  return (side, v) => {
    const down = (v + 0.12) / (tearEnd + 0.12);
    const up = (-0.16 - v) / hornLength;
    const fromTear = Math.abs(side - at - drift * down);
    if (down >= 0 && down < 1)
      return fromTear >= split && fromTear < tearWidth * (1 - down) ** taper;
    return (
      up >= 0 &&
      up < 1 &&
      Math.abs(side - at - 0.02 - hornDrift * up) < hornWidth * (1 - up) ** taper
    );
  };
};

const FAMILIES: readonly [Family, ...Family[]] = [
  chevrons,
  claws,
  visor,
  spine,
  fangs,
  bolts,
  halos,
  tears,
];

/** Distance from a mark, negative inside it. */
type Mark = (side: number, v: number) => number;

const unmarked: Mark = () => 1;

const FOREHEAD_MARKS: readonly [Mark, ...Mark[]] = [
  unmarked,
  /* diamond */ (side, v) => 0.11 * (side / 0.14 + Math.abs(v + 0.68) / 0.27 - 1),
  /* bar */ (side, v) => Math.max(side - 0.055, v + 0.42),
  /* crescent */ (side, v) =>
    Math.max(Math.hypot(side, v + 0.74) - 0.25, 0.23 - Math.hypot(side, v + 0.86)),
  /* ticks */ (side, v) => Math.max(Math.abs(v + 0.7) - 0.16, Math.abs(side - 0.16) - 0.05),
  /* eye */ (side, v) => Math.abs(Math.hypot(side, v + 0.7) - 0.13) - 0.045,
];

const CHIN_MARKS: readonly [Mark, ...Mark[]] = [
  unmarked,
  /* wedge */ (side, v) => Math.max(0.86 - v, side - (v - 0.82) * 0.8),
  /* stripe */ (side, v) => Math.max(0.84 - v, side - 0.06),
  /* collar */ (side, v) => Math.abs(v - 0.96 - 0.25 * side) - 0.06,
  /* tusks */ (side, v) => Math.max(0.8 - v, Math.abs(side - 0.17) - 0.045),
];

/** The fractional part, also of negative numbers. */
function fraction(value: number): number {
  return value - Math.floor(value);
}

/** A triangle wave from 0 to 1 and back, once per unit. */
function zigzag(value: number): number {
  return Math.abs(2 * fraction(value) - 1);
}

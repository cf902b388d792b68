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
  const family = random.pick(FAMILIES);
  const paint = family(random);
  const forehead = random.pick(FOREHEAD_MARKS);
  const chin = random.pick(CHIN_MARKS);
  const eye = SOCKETED.includes(family) ? socket : unmarked;
  return (side, v) => {
    const toMark = Math.min(forehead(side, v), chin(side, v), eye(side, v));
    return toMark < MARK_MARGIN ? toMark < 0 : paint(side, v);
  };
}

type Family = (random: SeededRandom) => Paint;

/** Stripes, level or slanted, straight or bowed; `slopes` and `bows` are what it picks from. */
function stripes(
  random: SeededRandom,
  slopes: Choices,
  bows: Choices,
  [fewest, most]: readonly [number, number],
  widest: number,
): Paint {
  const slope = random.pick(slopes);
  const bow = random.pick(bows);
  const perUnit = random.between(fewest, most);
  const offset = random.between(0, 1);
  const share = random.between(0.4, widest);
  return (side, v) => fraction((v + slope * side + bow * side * side) * perUnit + offset) < share;
}
type Choices = readonly [number, ...number[]];

/** Slanted stripes over the whole face, pointing up or down. */
const chevrons: Family = (random) =>
  stripes(random, [-1, -0.6, 0.45, 0.8], [-0.5, 0, 0.5], [1.5, 2.9], 0.58);

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
    return [middle - lean / 2, middleV - reach, middle + lean / 2, middleV + reach];
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
  const isFin = stripes(random, [-1, -0.6, 0, 0.55], [-0.5, 0, 0.6], [1.7, 3.3], 0.6);
  const finsFrom = random.between(0.32, 0.52);
  return (side, v) => {
    const stripe = waist + flare * (v - narrowestV) ** 2;
    return side < stripe || (side > Math.max(finsFrom, stripe + 0.1) && isFin(side, v));
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

/** One broad bolt of lightning down each side: its strokes lead out and back. */
const bolts: Family = (random) => {
  const at = random.between(0.14, 0.3);
  const reach = random.pick([0.34, 0.4, 0.46, 0.52]);
  const strokes = random.between(1, 1.6);
  const drift = random.between(-0.16, 0.16);
  const offset = random.between(0, 1);
  const width = random.between(0.13, 0.2);
  return (side, v) =>
    Math.abs(side - at - drift * v - reach * zigzag(v * strokes + offset)) < width;
};

/** Two to four almond rings around each eye. */
const halos: Family = (random) => {
  const perUnit = random.between(4.2, 6);
  const rings = random.pick([2, 2.4, 3]);
  const share = random.between(0.4, 0.62);
  const gap = random.between(0.015, 0.07);
  const lift = random.between(-0.05, 0.35);
  return (side, v) => {
    const fromEye = toSegment(side, v, EYE).distance * (1 + lift * Math.sign(v + 0.16));
    const ring = (fromEye - gap) * perUnit;
    return ring > 0 && ring < rings && fraction(ring) < share;
  };
};

/** A wedge that falls from each rimmed eye to the jaw, whole or split, and a horn up. */
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
    if (toSegment(side, v, EYE).distance < 0.115) return true;
    const down = (v + 0.12) / (tearEnd + 0.12);
    const up = (-0.12 - v) / hornLength;
    const fromTear = Math.abs(side - at - drift * down);
    const fromHorn = Math.abs(side - at - hornDrift * up);
    return down < 0
      ? fromHorn < hornWidth * Math.max(0, 1 - up) ** taper
      : fromTear >= split && fromTear < tearWidth * Math.max(0, 1 - down) ** taper;
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

/** A wing of paint around the eye: stripes and dark faces would swallow it. */
const WING: Segment = [0.16, -0.11, 0.86, -0.34];
const socket: Mark = (side, v) => {
  const { distance, along } = toSegment(side, v, WING);
  return distance + along * along * 0.1 - 0.135;
};
const SOCKETED: readonly Family[] = [chevrons, spine, fangs, bolts];

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
  /* tusks */ (side, v) => Math.max(0.8 - v, Math.abs(side - 0.16) - 0.05),
];

/** The fractional part, also of negative numbers. */
function fraction(value: number): number {
  return value - Math.floor(value);
}

/** A triangle wave from 0 to 1 and back, once per unit. */
function zigzag(value: number): number {
  return Math.abs(2 * fraction(value) - 1);
}

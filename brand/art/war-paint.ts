import type { CodeDice } from './code-dice.ts';
import { EYE, type Segment, toSegment } from './mask-shape.ts';

/**
 * Says whether paint covers a place of the mask. `side` is |u|, so that every face is mirrored; see mask-shape.ts for
 * the plane (eyes at v -0.1 to -0.2, mouth 0.45 to 0.8, chin 1.16).
 */
export type Paint = (side: number, v: number) => boolean;

/** Bare skin around a mark, about a dot and a half wide: a mark on stripes must not melt into them. */
const MARK_MARGIN = 0.05;

/**
 * One of eight designed families, with its proportions and a mark on forehead and chin chosen by the code's dice.
 * Free noise was tried and gives weak faces; a family keeps the eyes and the jaw readable.
 */
export function choosePaint(dice: CodeDice): Paint {
  const family = dice.pick(FAMILIES)(dice);
  const forehead = dice.pick(FOREHEAD_MARKS);
  const chin = dice.pick(CHIN_MARKS);
  return (side, v) => {
    const toMark = Math.min(forehead(side, v), chin(side, v));
    return toMark < MARK_MARGIN ? toMark < 0 : family(side, v);
  };
}

type Family = (dice: CodeDice) => Paint;

/** Slanted stripes over the whole face, pointing up or down, straight or bowed. */
const chevrons: Family = (dice) => {
  const slope = dice.pick([-1, -0.6, 0.45, 0.8]);
  const bow = dice.pick([-0.5, 0, 0.5]);
  const perUnit = dice.between(1.5, 2.9);
  const offset = dice.between(0, 1);
  const share = dice.between(0.4, 0.58);
  return (side, v) => fraction((v + slope * side + bow * side * side) * perUnit + offset) < share;
};

/** Three to five tapering slashes that lean across eye and cheek. */
const claws: Family = (dice) => {
  const count = dice.pick([3, 4, 5]);
  const lean = dice.pick([-0.66, -0.44, 0.42, 0.62]);
  const width = dice.between(0.3, 0.37) / count;
  const middleV = dice.between(-0.2, 0.1);
  const shortening = dice.between(0.02, 0.13);
  const slashes = Array.from({ length: count }, (_, index): Segment => {
    const middle = 0.12 + (index * 0.56) / (count - 1);
    const reach = 0.82 - index * shortening;
    return { x1: middle - lean / 2, y1: middleV - reach, x2: middle + lean / 2, y2: middleV + reach };
  });
  return (side, v) =>
    slashes.some((slash) => {
      const { distance, along } = toSegment(side, v, slash);
      return distance < width * Math.sin(Math.PI * (0.1 + along * 0.8));
    });
};

/** A band across the eyes, straight or drawn down along the nose, with a second line well under or over it. */
const visor: Family = (dice) => {
  const slope = dice.pick([-0.5, -0.3, 0, 0.3]) + dice.between(-0.06, 0.06);
  const top = dice.between(-0.46, -0.3);
  const bottom = dice.between(0.04, 0.24);
  const beak = dice.pick([0, 0.3, 0.62]);
  const lineAt = dice.pick([bottom + 0.3, bottom + 0.48, top - 0.3]);
  const lineWidth = dice.between(0.05, 0.12);
  return (side, v) => {
    const level = v - slope * (side - 0.3);
    const lowered = level - beak * Math.exp(-((side / 0.16) ** 2));
    return (level > top && lowered < bottom) || Math.abs(level - lineAt) < lineWidth;
  };
};

/** A stripe from crown to chin that swells, with fins along the temples. */
const spine: Family = (dice) => {
  const waist = dice.between(0.05, 0.17);
  const narrowestV = dice.between(-0.5, 0.4);
  const flare = dice.between(0.08, 0.3);
  const finSlope = dice.pick([-1, -0.6, 0, 0.55]);
  const finBend = dice.pick([-0.5, 0, 0.6]);
  const finsPerUnit = dice.between(1.7, 3.3);
  const offset = dice.between(0, 1);
  const finShare = dice.between(0.4, 0.6);
  const finsFrom = dice.between(0.32, 0.52);
  return (side, v) => {
    const stripe = waist + flare * (v - narrowestV) ** 2;
    if (side < stripe) return true;
    const isFin = fraction((v + finSlope * side + finBend * side * side) * finsPerUnit + offset) < finShare;
    return isFin && side > Math.max(finsFrom, stripe + 0.1);
  };
};

/** The lower face painted up to a toothed edge, with a blade through each eye or a brow over both. */
const fangs: Family = (dice) => {
  const edge = dice.between(0.06, 0.34);
  const toothHeight = dice.between(0.12, 0.34);
  const teeth = dice.pick([1.2, 2.4, 3.6, 4.8]);
  const rise = dice.pick([-0.45, -0.15, 0.2]);
  const isBrowed = dice.chance(0.5);
  const width = dice.between(0.07, 0.13);
  const bladeAt = dice.between(0.3, 0.46);
  const bladeLean = dice.between(-0.14, 0.14);
  const browV = dice.between(-0.52, -0.4);
  const browRise = dice.between(0.1, 0.6);
  return (side, v) => {
    if (v > edge + rise * side + toothHeight * zigzag(side * teeth)) return true;
    if (isBrowed) return Math.abs(v - browV + browRise * (side - 0.3)) < width * (0.6 + side);
    return Math.abs(side - bladeAt - bladeLean * v) < width * (1 - ((v + 0.62) / 0.52) ** 2);
  };
};

/** Lightning: broad bands with a zigzag edge. */
const bolts: Family = (dice) => {
  const perUnit = dice.between(1.15, 1.75);
  const height = dice.pick([-0.4, -0.24, 0.24, 0.4]);
  const teeth = dice.between(1.2, 2.8);
  const drop = dice.between(-0.35, 0.35);
  const offset = dice.between(0, 1);
  const share = dice.between(0.42, 0.56);
  return (side, v) => fraction((v + drop * side + height * zigzag(side * teeth)) * perUnit + offset) < share;
};

/** Two to four almond rings that spread from each eye, whole to the last one. */
const halos: Family = (dice) => {
  const perUnit = dice.between(2.5, 4.1);
  const rings = dice.pick([2, 3, 4]);
  const share = dice.between(0.4, 0.62);
  const gap = dice.between(0.015, 0.1);
  const lift = dice.between(-0.05, 0.35);
  return (side, v) => {
    const fromEye = toSegment(side, v, EYE).distance * (1 + lift * Math.sign(v + 0.16)) - gap;
    return fromEye > 0 && fromEye * perUnit < rings && fraction(fromEye * perUnit) < share;
  };
};

/** Tears: a wedge that falls from each eye to the jaw, whole or split, and a horn that climbs to the crown. */
const tears: Family = (dice) => {
  const at = dice.between(0.32, 0.46);
  const tearWidth = dice.between(0.15, 0.27);
  const hornWidth = dice.between(0.1, 0.27);
  const drift = dice.between(-0.26, 0.16);
  const hornDrift = dice.between(-0.34, 0.3);
  const tearEnd = dice.between(0.55, 1.1);
  const hornLength = dice.between(0.5, 0.95);
  const taper = dice.pick([0.45, 0.8, 1.3]);
  const split = dice.pick([0, 0, 0.035]);
  return (side, v) => {
    const down = (v + 0.12) / (tearEnd + 0.12);
    const up = (-0.16 - v) / hornLength;
    const fromTear = Math.abs(side - at - drift * down);
    if (down >= 0 && down < 1) return fromTear >= split && fromTear < tearWidth * (1 - down) ** taper;
    return up >= 0 && up < 1 && Math.abs(side - at - 0.02 - hornDrift * up) < hornWidth * (1 - up) ** taper;
  };
};

const FAMILIES: readonly [Family, ...Family[]] = [chevrons, claws, visor, spine, fangs, bolts, halos, tears];

/** How far a place is from a mark: negative inside it. */
type Mark = (side: number, v: number) => number;

const unmarked: Mark = () => 1;

const FOREHEAD_MARKS: readonly [Mark, ...Mark[]] = [
  unmarked,
  /* diamond */ (side, v) => 0.11 * (side / 0.14 + Math.abs(v + 0.68) / 0.27 - 1),
  /* bar */ (side, v) => Math.max(side - 0.055, v + 0.42),
  /* crescent */ (side, v) => Math.max(Math.hypot(side, v + 0.74) - 0.25, 0.23 - Math.hypot(side, v + 0.86)),
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

/** The part after the point, also for negative numbers. */
function fraction(value: number): number {
  return value - Math.floor(value);
}

/** A triangle wave from 0 to 1 and back, once per unit. */
function zigzag(value: number): number {
  return Math.abs(2 * fraction(value) - 1);
}

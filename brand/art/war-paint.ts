import type { CodeDice } from './code-dice.ts';
import { EYE, type Segment, toSegment } from './mask-shape.ts';

/**
 * Says whether paint covers a place of the mask. `side` is |u|, so that every face is mirrored; see mask-shape.ts for
 * the plane (eyes at v -0.1 to -0.2, mouth 0.45 to 0.8, chin 1.16).
 */
export type Paint = (side: number, v: number) => boolean;

/**
 * One of eight designed families, with its proportions and a mark on forehead and chin chosen by the code's dice.
 * Free noise was tried and gives weak faces; a family keeps the eyes and the jaw readable.
 */
export function choosePaint(dice: CodeDice): Paint {
  const family = dice.pick(FAMILIES)(dice);
  const forehead = dice.pick(FOREHEAD_MARKS);
  const chin = dice.pick(CHIN_MARKS);
  // A mark on painted skin is left bare, so that it always shows.
  return (side, v) => family(side, v) !== (forehead(side, v) || chin(side, v));
}

type Family = (dice: CodeDice) => Paint;

/** Slanted stripes over the whole face, pointing up or down. */
const chevrons: Family = (dice) => {
  const slope = dice.pick([-0.8, -0.55, 0.45, 0.7]);
  const perUnit = dice.between(1.7, 2.9);
  const offset = dice.between(0, 1);
  const share = dice.between(0.42, 0.56);
  return (side, v) => fraction((v + slope * side) * perUnit + offset) < share;
};

/** Three or four tapering slashes that lean across eye and cheek. */
const claws: Family = (dice) => {
  const count = dice.pick([3, 4]);
  const lean = dice.pick([-0.62, -0.42, 0.4, 0.58]);
  const width = dice.between(0.075, 0.1);
  const slashes = Array.from({ length: count }, (_, index): Segment => {
    const middle = 0.14 + (index * 0.54) / (count - 1);
    const reach = 0.78 - index * 0.1;
    return [middle - lean / 2, -0.08 - reach, middle + lean / 2, -0.08 + reach];
  });
  return (side, v) =>
    slashes.some((slash) => {
      const { distance, along } = toSegment(side, v, slash);
      return distance < width * Math.sin(Math.PI * (0.1 + along * 0.8));
    });
};

/** A band across the eyes, with a second line under or over it. */
const visor: Family = (dice) => {
  const slope = dice.between(-0.5, 0.25);
  const top = dice.between(-0.42, -0.3);
  const bottom = dice.between(0.05, 0.24);
  const lineAt = dice.pick([0.42, 0.6, -0.7]);
  const lineWidth = dice.between(0.09, 0.16);
  return (side, v) => {
    const level = v - slope * (side - 0.3);
    return (level > top && level < bottom) || Math.abs(level - lineAt) < lineWidth / 2 + 0.04;
  };
};

/** A stripe from crown to chin that swells, with fins along the temples. */
const spine: Family = (dice) => {
  const waist = dice.between(0.07, 0.12);
  const flare = dice.between(0.12, 0.3);
  const finSlope = dice.pick([-0.75, 0.6]);
  const finsPerUnit = dice.between(2, 3.2);
  const finsFrom = dice.between(0.36, 0.46);
  return (side, v) => {
    if (side < waist + flare * (v + 0.1) ** 2) return true;
    return side > finsFrom && fraction((v + finSlope * side) * finsPerUnit) < 0.5;
  };
};

/** The lower face painted up to a toothed edge, with a streak through each eye. */
const fangs: Family = (dice) => {
  const edge = dice.between(0.08, 0.3);
  const toothHeight = dice.between(0.14, 0.3);
  const teeth = dice.pick([2, 3, 4]);
  const rise = dice.between(-0.45, 0.2);
  const streak = dice.between(0.07, 0.11);
  const streakAt = dice.between(0.34, 0.44);
  return (side, v) => {
    if (v > edge + rise * side + toothHeight * zigzag(side * teeth * 1.2)) return true;
    return v < 0.1 && Math.abs(side - streakAt - 0.1 * v) < streak * (1 - (v + 0.3) ** 2);
  };
};

/** Lightning: broad bands with a zigzag edge. */
const bolts: Family = (dice) => {
  const perUnit = dice.between(1.05, 1.6);
  const height = dice.between(0.22, 0.42);
  const teeth = dice.between(1.4, 2.6);
  const offset = dice.between(0, 1);
  return (side, v) => fraction((v + height * zigzag(side * teeth)) * perUnit + offset) < 0.5;
};

/** Almond rings that spread from each eye. */
const halos: Family = (dice) => {
  const perUnit = dice.between(2.6, 4);
  const offset = dice.between(0.55, 0.95);
  const reach = dice.between(0.5, 0.95);
  return (side, v) => {
    const { distance } = toSegment(side, v, EYE);
    return distance < reach && fraction(distance * perUnit + offset) < 0.5;
  };
};

/** Tears: a wedge that falls from each eye to the jaw, and one that climbs to the crown. */
const tears: Family = (dice) => {
  const tearWidth = dice.between(0.16, 0.26);
  const hornWidth = dice.between(0.12, 0.26);
  const drift = dice.between(-0.22, 0.14);
  const hornDrift = dice.between(-0.3, 0.3);
  const tearEnd = dice.between(0.8, 1.1);
  return (side, v) => {
    const down = (v + 0.12) / (tearEnd + 0.12);
    const up = (-0.16 - v) / 0.9;
    if (down >= 0 && down < 1) return Math.abs(side - 0.4 - drift * down) < tearWidth * (1 - down) ** 0.7;
    return up >= 0 && up < 1 && Math.abs(side - 0.42 - hornDrift * up) < hornWidth * (1 - up) ** 0.7;
  };
};

const FAMILIES: readonly [Family, ...Family[]] = [chevrons, claws, visor, spine, fangs, bolts, halos, tears];

const unmarked: Paint = () => false;

const FOREHEAD_MARKS: readonly [Paint, ...Paint[]] = [
  unmarked,
  /* diamond */ (side, v) => side / 0.13 + Math.abs(v + 0.68) / 0.26 < 1,
  /* bar */ (side, v) => side < 0.055 && v < -0.42,
  /* crescent */ (side, v) => Math.hypot(side, v + 0.78) < 0.24 && Math.hypot(side, v + 0.88) > 0.22,
  /* ticks */ (side, v) => v > -0.85 && v < -0.55 && Math.abs(side - 0.16) < 0.045,
];

const CHIN_MARKS: readonly [Paint, ...Paint[]] = [
  unmarked,
  /* wedge */ (side, v) => v > 0.86 && side < (v - 0.82) * 0.8,
  /* stripe */ (side, v) => v > 0.84 && side < 0.06,
  /* collar */ (side, v) => v > 0.9 + 0.25 * side && v < 1.02 + 0.25 * side,
];

/** The part after the point, also for negative numbers. */
function fraction(value: number): number {
  return value - Math.floor(value);
}

/** A triangle wave from 0 to 1 and back, once per unit. */
function zigzag(value: number): number {
  return Math.abs(2 * fraction(value) - 1);
}

/** Measures that every family of paint leaves the eyes visible, and has a look of its own. */
import { describe, expect, test } from 'vitest';
import { halftone } from './halftone.ts';
import { EYE, toSegment } from './mask-shape.ts';
import { seedRandom } from './seeded-random.ts';
import { choosePaint, type Paint } from './war-paint.ts';

/** In the order of war-paint.ts: a code keeps its family, because faces have been shared. */
const FAMILIES = [
  'chevrons',
  'claws',
  'visor',
  'spine',
  'fangs',
  'bolts',
  'halos',
  'tears',
] as const;
const FACES = 60;

const families = Map.groupBy(
  Array.from({ length: 1000 }, (_, index) => `FAMILY${index}`),
  (code) => seedRandom(code).pick(FAMILIES),
);
const facesOf = (family: (typeof FAMILIES)[number]): Paint[] =>
  (families.get(family) ?? []).slice(0, FACES).map((code) => choosePaint(seedRandom(code)));

const eyeRim = halftone(52).dots.filter(
  ({ u, v }) => u > 0 && toSegment(u, v, EYE).distance < 0.13,
);

describe.each(FAMILIES)('the %s', (family) => {
  const faces = facesOf(family);
  const signature = signatureOf(faces);

  test('frame the eyes in paint, so that the dark openings show', () => {
    expect(faces).toHaveLength(FACES);
    for (const isPainted of faces) {
      const painted = eyeRim.filter(({ u, v }) => isPainted(u, v)).length;
      expect(painted / eyeRim.length).toBeGreaterThan(0.45);
    }
  });

  test.each(FAMILIES.slice(0, FAMILIES.indexOf(family)))('look unlike the %s', (other) => {
    const distances = signatureOf(facesOf(other)).map(({ mean, spread }, at) => {
      const own = signature[at] ?? { mean: 0, spread: 0 };
      return (own.mean - mean) / Math.hypot(own.spread, spread);
    });
    expect(Math.SQRT2 * Math.hypot(...distances)).toBeGreaterThan(4.5);
  });
});

/** Average and spread of the measures of a family's faces. */
function signatureOf(faces: readonly Paint[]): { mean: number; spread: number }[] {
  const measures = faces.map(measure);
  return (measures[0] ?? []).map((_, at) => {
    const values = measures.map((face) => face[at] ?? 0);
    const mean = sumOf(values) / values.length;
    return { mean, spread: Math.sqrt(sumOf(values.map((v) => (v - mean) ** 2)) / values.length) };
  });
}

/** Measures by which the eye tells faces apart: direction of edges, and place of the paint. */
function measure(isPainted: Paint): number[] {
  const step = 0.036;
  let [edgesDown, edgesAcross, forehead, jaw, nose] = [0, 0, 0, 0, 0];
  for (let v = -1; v < 1; v += step) {
    for (let side = 0; side < 0.72; side += step) {
      const isOn = isPainted(side, v);
      if (isOn !== isPainted(side, v + step)) edgesDown += 1;
      if (isOn !== isPainted(side + step, v)) edgesAcross += 1;
      if (isOn && v < -0.35) forehead += 1;
      if (isOn && v > 0.2) jaw += 1;
      if (isOn && v > -0.05 && side < 0.1) nose += 1;
    }
  }
  return [edgesDown, edgesAcross, forehead, jaw, nose];
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

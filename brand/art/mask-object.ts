/**
 * The mask as an object. The grid of halftone.ts stays where it is and the object turns behind it,
 * as on a matrix of lamps; at the front it is the picture of mask.ts.
 */
import type { MaskObject } from '../brand-shape.ts';
import { paintOf } from './ghost.ts';
import { DARKEST_DOT, DOT_STEP, dotLook, gridOf, ROW_STEP } from './halftone.ts';
import { gain, shine, surfacesAt } from './mask-light.ts';
import { heightsAt, MASK_BOUNDS, shellHalfWidth, V_STRETCH } from './mask-shape.ts';

/** Depth of the height field beside its width. The light keeps the full slope. */
const DEPTH = 0.62;
/** Distance of the axis from the rim. */
const AXIS = 0.2;
/** Points for each dot, across and down, so that walls that come to the front have no gaps. */
const DENSITY = 2;
const LEAST_SOLID = 0.35;
const INSIDE = { faintest: 0.05, more: 0.12 };
/** Depth of a cell without points, behind the mask. */
const EMPTY = -9;

/** Numbers of a point: position, normal, share of the light that its surface reflects. */
const FIELDS = 7;

/** Finer than in a picture, because dots change their level while the mask turns. */
const LEVELS = 12;

/** Yields after each row of points, because a slow phone takes half a second for all. */
export function* shapeMask(columns = 58): Generator<void, MaskObject> {
  const { width, unitsPerU, rows } = gridOf(columns);
  const list: number[] = [];
  const step = ROW_STEP / (unitsPerU * V_STRETCH * DENSITY);
  const across = (columns / 2) * DENSITY;
  for (let v = MASK_BOUNDS.top; v < MASK_BOUNDS.top + MASK_BOUNDS.height; v += step) {
    const halfWidth = shellHalfWidth(v);
    const heights = heightsAt(v);
    const surfaceAt = surfacesAt(v);
    for (let index = 0; index < across; index += 1) {
      // Denser towards the rim, where the shell is steep.
      const side = halfWidth * (1 - (1 - index / across) ** 1.7);
      const surface = surfaceAt(side);
      if (!surface) break;
      const { slopeOut, slopeV, solid } = surface;
      const length = Math.sqrt(slopeOut * slopeOut + slopeV * slopeV + 1);
      const z = heights(side) * DEPTH - AXIS;
      const reflected = solid < LEAST_SOLID ? 0 : gain(solid, v);
      for (const sign of index === 0 ? [1] : [1, -1]) {
        list.push(sign * side, v * V_STRETCH, z);
        list.push((-sign * slopeOut) / length, -slopeV / length, 1 / length, reflected);
      }
    }
    yield;
  }
  const points = Float32Array.from(list);
  const painted = new Uint8Array(points.length / FIELDS);
  const nearest = new Int32Array(rows * columns);
  const depths = new Float32Array(rows * columns);
  const top = MASK_BOUNDS.top * V_STRETCH;
  const at = (index: number) => points[index] as number;

  return {
    width,
    height: rows * ROW_STEP,
    looks: Array.from({ length: LEVELS }, (_, level) => dotLook((level + 1) / LEVELS, {})),

    *turn(yaw, pitch, draw) {
      const [cy, sy, cp, sp] = rotationOf(yaw, pitch);
      nearest.fill(-1);
      depths.fill(EMPTY);
      for (let point = 0; point < points.length; point += FIELDS) {
        const [x, y, z] = [at(point), at(point + 1), at(point + 2)];
        const ahead = z * cy - x * sy;
        const depth = y * sp + ahead * cp;
        const row = Math.round(((y * cp - ahead * sp - top) * unitsPerU) / ROW_STEP - 0.5);
        const column = Math.round(
          ((x * cy + z * sy - MASK_BOUNDS.left) * unitsPerU) / DOT_STEP - insetOf(row),
        );
        const cell = row * columns + column;
        if (depth <= (depths[cell] ?? -EMPTY)) continue;
        depths[cell] = depth;
        nearest[cell] = point;
      }
      for (let cell = 0; cell < nearest.length; cell += 1) {
        if (cell % columns === 0) yield;
        const point = nearest[cell] as number;
        const reflected = point < 0 ? 0 : at(point + 6);
        if (reflected === 0) continue;
        const [x, y, z] = [at(point + 3), at(point + 4), at(point + 5)];
        const ahead = z * cy - x * sy;
        // What faces away is decided by the slope of the flattened surface.
        const facing = (z * cy - x * sy * DEPTH) * cp + y * DEPTH * sp;
        const brightness =
          facing <= 0
            ? INSIDE.faintest - INSIDE.more * Math.max(-1, facing)
            : shine(x * cy + z * sy, y * cp - ahead * sp, y * sp + ahead * cp) * reflected;
        if (brightness < DARKEST_DOT) continue;
        const row = Math.floor(cell / columns);
        draw(
          ((cell % columns) + insetOf(row)) * DOT_STEP,
          (row + 0.5) * ROW_STEP,
          Math.min(LEVELS - 1, Math.floor(brightness * LEVELS)),
          painted[point / FIELDS] === 1 && facing > 0,
        );
      }
    },

    paint(code) {
      const isPainted = code === null ? () => false : paintOf(code);
      for (let index = 0; index < painted.length; index += 1) {
        const [u, y] = [at(index * FIELDS), at(index * FIELDS + 1)];
        // A point on the left follows its mirror image.
        if (u < 0) painted[index] = painted[index - 1] as number;
        else painted[index] = isPainted(u, y / V_STRETCH) ? 1 : 0;
      }
    },

    locate([u, v], yaw, pitch) {
      const [cy, sy, cp, sp] = rotationOf(yaw, pitch);
      const z = Math.max(0, heightsAt(v)(Math.abs(u))) * DEPTH - AXIS;
      const ahead = z * cy - u * sy;
      return {
        x: (u * cy + z * sy - MASK_BOUNDS.left) * unitsPerU,
        y: (v * V_STRETCH * cp - ahead * sp - top) * unitsPerU,
      };
    },
  };
}

/** Cosine and sine of yaw, then of pitch. */
const rotationOf = (yaw: number, pitch: number) =>
  [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)] as const;

/** Every other row stands half a step further right. */
const insetOf = (row: number) => (row % 2 === 0 ? 0.5 : 1);

const STILLS = { yaws: [0, -0.65, -1.2], colour: '#eef2e6' };

/** The object from the front, half turned and from the side, for pages where it does not turn. */
export function stillsSvg(): string {
  const steps = shapeMask();
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { width, height, looks, turn } = step.value;
  const paths = looks.map(() => '');
  for (const [index, yaw] of STILLS.yaws.entries()) {
    const turned = turn(yaw, 0, (x, y, level) => {
      paths[level] += `M${x + index * width} ${y}h0`;
    });
    for (const _ of turned);
  }
  const dots = looks.map(({ diameter, opacity }, level) => {
    const look = `stroke-width="${diameter.toFixed(1)}" opacity="${opacity.toFixed(2)}"`;
    return `<path ${look} d="${paths[level]}"/>`;
  });
  const size = `width="${STILLS.yaws.length * width}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} fill="none"`,
    ` viewBox="0 0 ${STILLS.yaws.length * width} ${height}"`,
    ` stroke="${STILLS.colour}" stroke-linecap="round">${dots.join('')}</svg>`,
  ].join('');
}

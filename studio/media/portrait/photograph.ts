/** Photographs the scene: a camera, three lamps, and what each material does with their light. */
import { paintOf } from '../../../brand/art/ghost.ts';
import { V_STRETCH } from '../../../brand/art/mask-shape.ts';
import { seedRandom } from '../../../brand/art/seeded-random.ts';
import { type Hit, isShaded, march, normalAt, openness, type Part } from './scene.ts';
import { add, dot, times, unit, type Vector } from './vector.ts';

export type Camera = {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Rays of a pixel in each direction. */
  readonly samples: number;
  /** In radians: to the side, and from above. */
  readonly yaw: number;
  readonly pitch: number;
  readonly target: Vector;
  readonly distance: number;
};

/** Colours as linear light, and the code whose paint is on the mask. */
export type Subject = Readonly<Record<'shell' | 'paint' | 'background', Vector>> & {
  readonly code: string;
};

/** Half the height of the picture at a distance of 1. */
const LENS = 0.27;

/** sRGB pixels, three bytes each, row by row. */
export function photograph(camera: Camera, subject: Subject): Uint8Array {
  const { width, height, samples, yaw, pitch, target, distance } = camera;
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  const forward: Vector = [-sy * cp, sp, -cy * cp];
  const right: Vector = [cy, 0, -sy];
  const down: Vector = [sy * sp, cp, cy * sp];
  const eye = add(target, forward, -distance);
  const shade = createShader(subject);
  const pixels = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    let sum: Vector = [0, 0, 0];
    for (let sample = 0; sample < samples ** 2; sample += 1) {
      const column = (pixel % width) + ((sample % samples) + 0.5) / samples;
      const row = Math.floor(pixel / width) + (Math.floor(sample / samples) + 0.5) / samples;
      const x = (2 * column - width) / height;
      const y = (2 * row - height) / height;
      const along = unit(add(add(forward, right, x * LENS), down, y * LENS));
      const hit = march(eye, along);
      sum = add(sum, hit ? shade(hit, times(along, -1)) : backdrop(subject, x, y));
    }
    sum.forEach((light, channel) => {
      pixels[pixel * 3 + channel] = toByte(light / samples ** 2);
    });
  }
  return pixels;
}

type Material = {
  readonly colour: Vector;
  readonly gloss: number;
  /** How narrow a highlight is. */
  readonly power: number;
  /** How much brightness varies from thread to thread, or from grain to grain. */
  readonly grain: number;
  /** How bright the edge is that one looks along. */
  readonly sheen: number;
};

function materialsOf({ shell, paint }: Subject): Readonly<Record<Part | 'paint', Material>> {
  const matte = { gloss: 0.055, power: 14, grain: 0.05, sheen: 0.09 };
  return {
    mask: { ...matte, colour: shell },
    paint: { ...matte, colour: paint },
    fabric: { colour: [0.017, 0.02, 0.019], gloss: 0.003, power: 5, grain: 0.14, sheen: 0.04 },
    strap: { colour: [0.045, 0.05, 0.048], gloss: 0.033, power: 10, grain: 0.2, sheen: 0.09 },
    buckle: { colour: [0.03, 0.034, 0.032], gloss: 0.27, power: 60, grain: 0, sheen: 0.09 },
  };
}

type Lamp = {
  readonly towards: Vector;
  readonly colour: Vector;
  /** Length of its side at a distance of 1. A large lamp makes soft shadows. */
  readonly size: number;
};

const lampsOf = ({ paint }: Subject): readonly Lamp[] => [
  { towards: unit([-0.62, -0.72, 0.5]), colour: [1.35, 1.31, 1.22], size: 0.5 },
  { towards: unit([0.62, -0.35, -0.72]), colour: times(paint, 1.9), size: 0.15 },
  { towards: unit([0.6, 0.3, 0.75]), colour: [0.07, 0.085, 0.08], size: 0.9 },
];
const SURROUNDING: Vector = [0.016, 0.02, 0.018];
const EXPOSURE = 1.9;

/** The light that a point sends to the eye. */
function createShader(subject: Subject): (hit: Hit, toEye: Vector) => Vector {
  const random = seedRandom(subject.code);
  const isPainted = paintOf(subject.code);
  const materials = materialsOf(subject);
  const lamps = lampsOf(subject);
  const spread = (size: number) => random.between(-size / 2, size / 2);
  return ({ at, part }, toEye) => {
    const isPaint = part === 'mask' && isPainted(Math.abs(at[0]), at[1] / V_STRETCH);
    const { colour, gloss, power, grain, sheen } = materials[isPaint ? 'paint' : part];
    const normal = normalAt(at);
    const open = openness(at, normal);
    let diffuse = times(SURROUNDING, open);
    let reflected: Vector = [0, 0, 0];
    for (const { towards, colour: light, size } of lamps) {
      const facing = dot(normal, towards);
      const spot = unit(add(towards, [spread(size), spread(size), spread(size)]));
      if (facing <= 0 || isShaded(add(at, normal, 0.012), spot)) continue;
      diffuse = add(diffuse, light, (facing * (0.55 + 0.45 * open)) / Math.PI);
      const highlight = Math.max(0, dot(normal, unit(add(towards, toEye)))) ** power;
      const edge = (1 - Math.max(0, dot(normal, toEye))) ** 4;
      reflected = add(reflected, light, facing * (highlight * gloss + edge * sheen));
    }
    const tint = (1 - grain + 2 * grain * textureAt(part, at)) * EXPOSURE;
    return [
      colour[0] * diffuse[0] * tint + reflected[0],
      colour[1] * diffuse[1] * tint + reflected[1],
      colour[2] * diffuse[2] * tint + reflected[2],
    ];
  };
}

/** From 0 to 1: threads of cloth, or the fine grain of matte nylon. */
function textureAt(part: Part, [x, y, z]: Vector): number {
  if (part !== 'mask') return 0.5 + 0.5 * Math.sin(y * 260) * Math.sin((x + z) * 260);
  const cell = Math.floor(x * 420) * 127.1 + Math.floor(y * 420) * 311.7;
  const value = Math.sin(cell + Math.floor(z * 420) * 74.7) * 43_758.5453;
  return value - Math.floor(value);
}

/** The page's own colour, with a faint pool of light behind the head. */
function backdrop({ background, paint }: Subject, x: number, y: number): Vector {
  const pool = Math.exp(-((x - 0.2) ** 2 + (y + 0.1) ** 2) * 2.2);
  return add(background, paint, 0.02 * pool);
}

/** A filmic curve, which keeps the page's black, then sRGB. */
function toByte(light: number): number {
  const v = light * 1.15;
  const curve = (v * (2.51 * v + 0.03)) / (v * (2.43 * v + 0.59) + 0.14);
  const linear = Math.min(1, light < 0.02 ? light : curve);
  const encoded = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255);
}

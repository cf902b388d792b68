/** Turns the mask as an object, on a canvas over its picture. A chunk of its own. */
import { shapeMask } from '../../brand/art/mask-object.ts';
import type { MaskObject, ShapeMask } from '../../brand/brand-shape.ts';
import { followHands } from './follow-hands.ts';
import { type Angles, createMaskMotion } from './mask-motion.ts';
import { paintWhileTyping } from './paint-while-typing.ts';
import { runInSlices } from './run-in-slices.ts';
import styles from './turning-mask.css?inline';

// The first view does without these styles.
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);

/** Phones draw every second frame. */
const PHONE_FRAME_MS = 30;
const MAX_PIXEL_RATIO = 2;
/** Share of the width that the pointer charges, and the time in which its charge decays. */
const REACH = 0.16;
const DECAY_MS = 1100;
const TRAIL = { everyMs: 40, longestMs: 3 * DECAY_MS };

export type Turning = {
  readonly signal: AbortSignal;
  /** How much the whole mask is charged, from 0 to 1. */
  readonly charge: () => number;
  readonly onTurn: ((art: HTMLElement, object: MaskObject, angles: Angles) => void) | undefined;
  /** Whether the mask takes on paint while somebody types, and their own when they join. */
  readonly isPainted: boolean;
};

/** The same surface serves every mask of a page. */
let shaped: Promise<MaskObject> | undefined;

/** Does nothing where the art of the brand is flat. */
export async function startTurning(art: HTMLElement, turning: Turning): Promise<void> {
  const steps = shaped ? null : (shapeMask as ShapeMask)?.();
  if (steps) shaped = runInSlices(steps);
  const object = await shaped;
  if (!object || turning.signal.aborted) return;
  const canvas = document.createElement('canvas');
  canvas.className = 'turning-mask';
  art.append(canvas);
  turning.signal.addEventListener('abort', () => {
    art.classList.remove('is-turning');
    canvas.remove();
  });
  await run(art, canvas, object, turning);
}

/** Requests frames only while the canvas is in view; browsers give none to hidden pages. */
async function run(
  art: HTMLElement,
  canvas: HTMLCanvasElement,
  object: MaskObject,
  { signal, charge, onTurn, isPainted }: Turning,
): Promise<void> {
  const motion = createMaskMotion();
  const measure = () => canvas.clientWidth * devicePixelRatio;
  let measured = measure();
  const open = () => runInSlices(openPaint(canvas, object, isPainted));
  let paint = await open();
  if (signal.aborted) return;
  if (isPainted) paintWhileTyping(object, signal);
  let trail: Charge[] = [];
  const frameMs = matchMedia('(pointer: fine)').matches ? 0 : PHONE_FRAME_MS;
  let frame = 0;
  let lastMs = 0;

  function draw(now: number): void {
    frame = requestAnimationFrame(draw);
    const elapsed = now - lastMs;
    if (elapsed < frameMs) return;
    lastMs = now;
    if (measured !== measure()) {
      measured = measure();
      open().then((opened) => {
        paint = opened;
      });
    }
    const angles = motion.step(elapsed);
    trail = trail.filter(({ ms }) => now - ms < TRAIL.longestMs);
    paint(angles, charge(), trail, now);
    // Not before, because the canvas hides the picture that was served.
    art.classList.add('is-turning');
    onTurn?.(art, object, angles);
  }

  followHands(art, canvas, motion, signal, (point) => {
    if (point.ms - (trail.at(-1)?.ms ?? 0) > TRAIL.everyMs) trail.push(point);
  });
  const observer = new IntersectionObserver((entries) => {
    cancelAnimationFrame(frame);
    // A busy page gets several entries at once, of which the last one is current.
    if (entries.at(-1)?.isIntersecting) frame = requestAnimationFrame(draw);
  });
  observer.observe(canvas);
  signal.addEventListener('abort', () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  });
}

/** A former position of the pointer: 0 to 1 across the picture and down. */
type Charge = { readonly x: number; readonly y: number; readonly ms: number };

function* openPaint(canvas: HTMLCanvasElement, object: MaskObject, isPainted: boolean) {
  const width = Math.round(canvas.clientWidth * Math.min(MAX_PIXEL_RATIO, devicePixelRatio));
  const scale = width / object.width;
  const height = Math.round(object.height * scale);
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const style = getComputedStyle(canvas);
  const charged = style.getPropertyValue('--afterglow');
  const bareColour = readColour(context, style.color);
  const paintColour = isPainted ? readColour(context, charged) : bareColour;
  yield;
  const { reach, size, alphas } = drawDots(object, scale);
  const light = drawLight(REACH * width, charged);
  const image = context.createImageData(width || 1, height || 1);
  const pixels = new Uint32Array(image.data.buffer);

  function copyDot(x: number, y: number, level: number, hasPaint: boolean): void {
    const across = Math.round(2 * scale * x);
    const down = Math.round(2 * scale * y);
    const colour = hasPaint ? paintColour : bareColour;
    let from = (4 * level + 2 * (down & 1) + (across & 1)) * size ** 2;
    for (let line = 0; line < size; line += 1) {
      const start = ((down >> 1) - reach + line) * width + (across >> 1) - reach;
      for (let at = start; at < start + size; at += 1, from += 1) {
        const alpha = alphas[from] as number;
        if (alpha > (pixels[at] as number) >>> 24) pixels[at] = (alpha << 24) | colour;
      }
    }
  }

  // The first picture takes a slow phone several times as long as the next ones.
  yield* object.turn(0, 0, copyDot);
  // Until now, a canvas that has another size shows its last picture.
  canvas.width = width;
  canvas.height = height;
  // Only dots take on light.
  context.globalCompositeOperation = 'source-atop';

  return ({ yaw, pitch }: Angles, charge: number, trail: readonly Charge[], now: number): void => {
    pixels.fill(0);
    for (const _ of object.turn(yaw, pitch, copyDot));
    context.putImageData(image, 0, 0);
    for (const { x, y, ms } of trail) {
      context.globalAlpha = Math.exp((ms - now) / DECAY_MS);
      const [left, top] = [x * canvas.width, y * canvas.height];
      context.drawImage(light, left - light.width / 2, top - light.height / 2);
    }
    context.globalAlpha = charge;
    context.fillStyle = charged;
    context.fillRect(0, 0, canvas.width, canvas.height);
  };
}

/** Red, green and blue as the bytes of a pixel, from the lowest one. */
function readColour(context: CanvasRenderingContext2D, colour: string): number {
  context.fillStyle = colour;
  const rgb = Number.parseInt(String(context.fillStyle).slice(1), 16);
  return ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16);
}

/**
 * Squares of alpha for each level, with the middle on a pixel and on each half of one. Copying them
 * takes a fifth of the time of drawing them.
 */
function drawDots({ looks }: MaskObject, scale: number) {
  const reach = Math.ceil((Math.max(...looks.map(({ diameter }) => diameter)) * scale) / 2) + 1;
  const size = 2 * reach + 1;
  const alphas = looks.flatMap(({ diameter, opacity }) =>
    Array.from({ length: 4 * size ** 2 }, (_, at) => {
      const row = Math.floor(at / size);
      const x = (at % size) + 0.5 - reach - (Math.floor(row / size) % 2) / 2;
      const y = (row % size) + 0.5 - reach - Math.floor(row / size / 2) / 2;
      return 255 * opacity * Math.min(1, (diameter * scale + 1) / 2 - Math.hypot(x, y));
    }),
  );
  return { reach, size, alphas: Uint8ClampedArray.from(alphas) };
}

function drawLight(reach: number, colour: string): HTMLCanvasElement {
  const light = document.createElement('canvas');
  light.width = light.height = 2 * reach;
  const context = light.getContext('2d') as CanvasRenderingContext2D;
  const fade = context.createRadialGradient(reach, reach, 0, reach, reach, reach);
  fade.addColorStop(0, colour);
  fade.addColorStop(1, `${colour}00`);
  context.fillStyle = fade;
  context.fillRect(0, 0, light.width, light.height);
  return light;
}

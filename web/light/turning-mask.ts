/** Turns the mask as an object, on a canvas over its picture. A chunk of its own. */
import { shapeMask } from '../../brand/art/mask-object.ts';
import type { MaskObject, ShapeMask } from '../../brand/brand-shape.ts';
import { followHands } from './follow-hands.ts';
import { type Angles, createMaskMotion } from './mask-motion.ts';
import { paintWhileTyping } from './paint-while-typing.ts';
import styles from './turning-mask.css?inline';

// The first view does without these styles.
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);

/** Longest time for which the main thread shapes the mask without a pause. */
const SLICE_MS = 4;
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
let shaped: Promise<MaskObject | null> | undefined;

/** Does nothing where the art of the brand is flat. */
export async function startTurning(art: HTMLElement, turning: Turning): Promise<void> {
  shaped ??= shape();
  const object = await shaped;
  if (!object || turning.signal.aborted) return;
  const canvas = document.createElement('canvas');
  canvas.className = 'turning-mask';
  canvas.setAttribute('aria-hidden', 'true');
  art.append(canvas);
  run(art, canvas, object, turning);
  if (turning.isPainted) paintWhileTyping(object, turning.signal);
  art.classList.add('is-turning');
  turning.signal.addEventListener('abort', () => {
    art.classList.remove('is-turning');
    canvas.remove();
  });
}

async function shape(): Promise<MaskObject | null> {
  const steps = (shapeMask as ShapeMask)?.();
  if (!steps) return null;
  for (;;) {
    const until = performance.now() + SLICE_MS;
    while (performance.now() < until) {
      const { done, value } = steps.next();
      if (done) return value;
    }
    await new Promise((rest) => setTimeout(rest));
  }
}

/** Requests frames only while the canvas and the page are seen. */
function run(art: HTMLElement, canvas: HTMLCanvasElement, object: MaskObject, turning: Turning) {
  const { signal, charge, onTurn, isPainted } = turning;
  const motion = createMaskMotion();
  let paint = openPaint(canvas, object, isPainted);
  let pixelRatio = devicePixelRatio;
  let isResized = false;
  let trail: Charge[] = [];
  const frameMs = matchMedia('(pointer: fine)').matches ? 0 : PHONE_FRAME_MS;
  let isInView = false;
  let frame = 0;
  let lastMs = 0;

  function draw(now: number): void {
    frame = requestAnimationFrame(draw);
    const elapsed = now - lastMs;
    if (elapsed < frameMs) return;
    lastMs = now;
    if (isResized || pixelRatio !== devicePixelRatio) {
      pixelRatio = devicePixelRatio;
      isResized = false;
      paint = openPaint(canvas, object, isPainted);
    }
    const angles = motion.step(elapsed);
    trail = trail.filter(({ ms }) => now - ms < TRAIL.longestMs);
    paint(angles, charge(), trail, now);
    onTurn?.(art, object, angles);
  }

  function update(): void {
    const isSeen = isInView && document.visibilityState === 'visible';
    if (isSeen === frame > 0) return;
    cancelAnimationFrame(frame);
    lastMs = performance.now();
    frame = isSeen ? requestAnimationFrame(draw) : 0;
  }

  followHands(art, canvas, motion, signal, (point) => {
    if (point.ms - (trail.at(-1)?.ms ?? 0) > TRAIL.everyMs) trail.push(point);
  });
  const observer = new IntersectionObserver((entries) => {
    // A busy page gets several entries at once, of which the last one is current.
    isInView = entries.at(-1)?.isIntersecting ?? false;
    update();
  });
  observer.observe(canvas);
  const sizes = new ResizeObserver(() => {
    isResized = true;
  });
  sizes.observe(canvas);
  document.addEventListener('visibilitychange', update, { signal });
  signal.addEventListener('abort', () => {
    observer.disconnect();
    sizes.disconnect();
    cancelAnimationFrame(frame);
  });
  paint({ yaw: 0, pitch: 0 }, 0, trail, 0);
}

/** A former position of the pointer: 0 to 1 across the picture and down. */
type Charge = { readonly x: number; readonly y: number; readonly ms: number };

function openPaint(canvas: HTMLCanvasElement, object: MaskObject, isPainted: boolean) {
  const width = canvas.clientWidth * Math.min(MAX_PIXEL_RATIO, devicePixelRatio);
  const scale = width / object.width;
  canvas.width = Math.round(width);
  canvas.height = Math.round(object.height * scale);
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const style = getComputedStyle(canvas);
  const charged = style.getPropertyValue('--afterglow');
  const bare = drawDots(object, scale, style.color);
  const painted = isPainted ? drawDots(object, scale, charged) : bare;
  const size = bare.height;
  const light = drawLight(REACH * width, charged);

  return ({ yaw, pitch }: Angles, charge: number, trail: readonly Charge[], now: number): void => {
    context.globalCompositeOperation = 'source-over';
    context.clearRect(0, 0, canvas.width, canvas.height);
    object.turn(yaw, pitch, (x, y, level, hasPaint) => {
      const [left, top] = [x * scale - size / 2, y * scale - size / 2];
      const dots = hasPaint ? painted : bare;
      context.drawImage(dots, level * size, 0, size, size, left, top, size, size);
    });
    // Only dots take on light.
    context.globalCompositeOperation = 'source-atop';
    for (const { x, y, ms } of trail) {
      context.globalAlpha = Math.exp((ms - now) / DECAY_MS);
      const [left, top] = [x * canvas.width, y * canvas.height];
      context.drawImage(light, left - light.width / 2, top - light.height / 2);
    }
    context.globalAlpha = charge;
    context.fillStyle = charged;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.globalAlpha = 1;
  };
}

/** One dot of each level, in a row: copying them is faster than drawing circles. */
function drawDots({ looks }: MaskObject, scale: number, colour: string): HTMLCanvasElement {
  const dots = document.createElement('canvas');
  const size = Math.ceil(Math.max(...looks.map(({ diameter }) => diameter)) * scale) + 2;
  dots.width = size * looks.length;
  dots.height = size;
  const context = dots.getContext('2d') as CanvasRenderingContext2D;
  context.fillStyle = colour;
  looks.forEach(({ diameter, opacity }, level) => {
    context.globalAlpha = opacity;
    context.beginPath();
    context.arc((level + 0.5) * size, size / 2, (diameter * scale) / 2, 0, 2 * Math.PI);
    context.fill();
  });
  return dots;
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

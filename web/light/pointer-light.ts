/** Light that charges the picture where pointer or finger passes. A chunk of its own. */
import { createGlow } from './glow.ts';

const REACH = 0.12;
/** One cell for each dot of the mask is enough, because the browser smooths the light. */
const COLUMNS = 58;
/** A dot is a stroke of no length. Areas get no light, which would tint their paper. */
const DOTS = 'path[d*="h0"]';

/** `firstTouch` is the touch for which this code was fetched. */
export function lightPointer(
  art: HTMLElement,
  signal: AbortSignal,
  firstTouch: TouchEvent | null = null,
): void {
  const svg = art.querySelector('svg');
  if (!svg?.querySelector(DOTS)) return;
  const canvas = document.createElement('canvas');
  canvas.className = 'pointer-light';
  (art.querySelector('.art-light') ?? art).append(canvas);
  const light = openLight(canvas, svg.viewBox.baseVal);
  const listening = { signal, passive: true };
  addEventListener('pointermove', light.followPointer, listening);
  // Pointer events of a finger end where scrolling begins; touch events go on.
  addEventListener('touchstart', light.followFinger, listening);
  addEventListener('touchmove', light.followFinger, listening);
  if (firstTouch) light.followFinger(firstTouch);
  signal.addEventListener('abort', () => {
    light.stop();
    canvas.remove();
  });
}

type Point = { readonly x: number; readonly y: number };

function openLight(
  canvas: HTMLCanvasElement,
  { width, height }: { width: number; height: number },
) {
  const rows = Math.round((COLUMNS * height) / width);
  const reach = COLUMNS * REACH;
  const glow = createGlow(COLUMNS, rows);
  const paint = openPaint(canvas, COLUMNS, rows);
  let pointer: Point | null = null;
  let pointerBefore: Point | null = null;
  let frame = 0;
  let frameTime = 0;

  function followPointer(event: PointerEvent): void {
    if (event.pointerType !== 'touch') follow(event);
  }

  function followFinger({ touches: [finger] }: TouchEvent): void {
    if (finger) follow(finger);
  }

  function follow({ clientX, clientY }: Pick<Touch, 'clientX' | 'clientY'>): void {
    const box = canvas.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * COLUMNS;
    const y = ((clientY - box.top) / box.height) * rows;
    const isNear = x > -reach && y > -reach && x < COLUMNS + reach && y < rows + reach;
    pointer = isNear ? { x, y } : null;
    if (!isNear) pointerBefore = null;
    if (isNear && frame === 0) {
      frameTime = performance.now();
      frame = requestAnimationFrame(shine);
    }
  }

  /** Requests frames only while something glows. */
  function shine(now: number): void {
    glow.decay(Math.max(0, now - frameTime));
    frameTime = now;
    if (pointer) {
      const from = pointerBefore ?? pointer;
      glow.stroke({ fromX: from.x, fromY: from.y, toX: pointer.x, toY: pointer.y, reach });
    }
    pointerBefore = pointer;
    pointer = null;
    paint(glow.levels);
    frame = glow.isGlowing() ? requestAnimationFrame(shine) : 0;
  }

  return { followPointer, followFinger, stop: () => cancelAnimationFrame(frame) };
}

function openPaint(
  canvas: HTMLCanvasElement,
  columns: number,
  rows: number,
): (levels: Float32Array) => void {
  canvas.width = columns;
  canvas.height = rows;
  // The processor writes so few pixels faster than the graphics card.
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return () => undefined;
  context.fillStyle = getComputedStyle(canvas).color;
  context.fillRect(0, 0, columns, rows);
  const picture = context.getImageData(0, 0, columns, rows);
  // The fill only served to read the colour.
  context.clearRect(0, 0, columns, rows);
  return (levels) => {
    for (let cell = 0; cell < levels.length; cell += 1)
      picture.data[cell * 4 + 3] = 255 * (levels[cell] ?? 0);
    context.putImageData(picture, 0, 0);
  };
}

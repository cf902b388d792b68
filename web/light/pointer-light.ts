/** Light under the pointer: it charges a picture where it passes, and the picture loses the charge again. Fetched apart from the pages. */
import { openCharges } from './charges.ts';

/** How far the light reaches, as a share of the picture's width. */
const REACH = 0.12;
/** Light is soft: a cell for each dot of the mask is enough, and the browser smooths what lies between. */
const COLUMNS = 58;
/** A dot is a stroke of no length. A drawing of areas has no light: it would tint its paper. */
const DOTS = 'path[d*="h0"]';

/** Lays the light over `art`, which holds an inline SVG, until the returned function is called. */
export function lightPointer(art: HTMLElement): () => void {
  const svg = art.querySelector('svg');
  if (!svg?.querySelector(DOTS)) return () => undefined;
  const canvas = document.createElement('canvas');
  canvas.className = 'pointer-light';
  // The dots keep their shape and brightness and take on the colour of the light; the dark between them stays dark.
  canvas.style.mixBlendMode = 'color';
  art.append(canvas);
  const stop = new AbortController();
  const light = openLight(canvas, svg.viewBox.baseVal);
  addEventListener('pointermove', light.follow, { signal: stop.signal, passive: true });
  return () => {
    stop.abort();
    light.stop();
    canvas.remove();
  };
}

/** All places in cells. */
type Place = { readonly x: number; readonly y: number };

function openLight(canvas: HTMLCanvasElement, { width, height }: { width: number; height: number }) {
  const rows = Math.round((COLUMNS * height) / width);
  const reach = COLUMNS * REACH;
  const charges = openCharges(COLUMNS, rows);
  const paint = openPaint(canvas, COLUMNS, rows);
  /** Where the pointer is, and where it was at the last frame; null while it is nowhere near. */
  let pointer: Place | null = null;
  let last: Place | null = null;
  let frame = 0;
  let before = 0;

  function follow({ clientX, clientY, pointerType }: PointerEvent): void {
    if (pointerType === 'touch') return;
    const box = canvas.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * COLUMNS;
    const y = ((clientY - box.top) / box.height) * rows;
    const isNear = x > -reach && y > -reach && x < COLUMNS + reach && y < rows + reach;
    pointer = isNear ? { x, y } : null;
    if (!isNear) last = null;
    if (isNear && frame === 0) {
      before = performance.now();
      frame = requestAnimationFrame(shine);
    }
  }

  /** Frames only while something glows. */
  function shine(now: number): void {
    charges.decay(Math.max(0, now - before));
    before = now;
    if (pointer) {
      const from = last ?? pointer;
      charges.stroke({ fromX: from.x, fromY: from.y, toX: pointer.x, toY: pointer.y, reach });
    }
    last = pointer;
    pointer = null;
    paint(charges.levels);
    frame = charges.isGlowing() ? requestAnimationFrame(shine) : 0;
  }

  return { follow, stop: () => cancelAnimationFrame(frame) };
}

/** Returns what draws a frame: one pixel for each cell, in the colour of the canvas, as strong as its charge. */
function openPaint(canvas: HTMLCanvasElement, columns: number, rows: number): (levels: Float32Array) => void {
  canvas.width = columns;
  canvas.height = rows;
  // So few pixels are sooner written than asked of the graphics processor.
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return () => undefined;
  context.fillStyle = getComputedStyle(canvas).color;
  context.fillRect(0, 0, columns, rows);
  const picture = context.getImageData(0, 0, columns, rows);
  // Asked for its colour, and dark until there is light.
  context.clearRect(0, 0, columns, rows);
  return (levels) => {
    for (let cell = 0; cell < levels.length; cell += 1) picture.data[cell * 4 + 3] = 255 * (levels[cell] ?? 0);
    context.putImageData(picture, 0, 0);
  };
}

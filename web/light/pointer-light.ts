/** Light under the pointer: it charges the dots of a picture, and they lose the charge again. Fetched apart from the pages. */
import { chargeFromStroke, decayCharge, shareLeft } from './charge-rules.ts';
import { makeLamps } from './lamps.ts';
import { type Dot, readDots } from './read-dots.ts';

/** How far the light reaches, as a share of the picture's width. */
const REACH = 0.12;
/** Pixels to a pixel of the page: light is soft, and copying the canvas is most of a frame's cost. */
const PIXELS = 0.6;

/** Lays the light over `art`, which holds an inline SVG, until the returned function is called. */
export function lightPointer(art: HTMLElement): () => void {
  const svg = art.querySelector('svg');
  const dots = svg ? readDots(pathsOf(svg)) : [];
  if (!svg || dots.length === 0) return () => undefined;
  const canvas = document.createElement('canvas');
  canvas.className = 'pointer-light';
  art.append(canvas);
  const stop = new AbortController();
  const light = openLight(canvas, svg, dots);
  addEventListener('pointermove', light.follow, { signal: stop.signal, passive: true });
  addEventListener('resize', light.fit, { signal: stop.signal });
  return () => {
    stop.abort();
    light.stop();
    canvas.remove();
  };
}

function openLight(canvas: HTMLCanvasElement, svg: SVGSVGElement, dots: readonly Dot[]) {
  const { width, height } = svg.viewBox.baseVal;
  const context = canvas.getContext('2d');
  const charges = new Float32Array(dots.length);
  const colour = getComputedStyle(canvas).color;
  let draw: ReturnType<typeof makeLamps> | null = null;
  /** Where the pointer is, and where it was at the last frame; null while it is nowhere near. */
  let pointer: { x: number; y: number } | null = null;
  let last: { x: number; y: number } | null = null;
  let frame = 0;
  let before = 0;

  function fit(): void {
    draw = null;
  }

  function follow({ clientX, clientY, pointerType }: PointerEvent): void {
    if (pointerType === 'touch') return;
    const box = canvas.getBoundingClientRect();
    const unit = width / box.width;
    const reach = width * REACH;
    const x = (clientX - box.left) * unit;
    const y = (clientY - box.top) * unit;
    const isNear = x > -reach && y > -reach && x < width + reach && y < height + reach;
    pointer = isNear ? { x, y } : null;
    if (!isNear) last = null;
    if (isNear && frame === 0) {
      before = performance.now();
      frame = requestAnimationFrame(shine);
    }
  }

  /** Frames only while something glows. */
  function shine(now: number): void {
    const elapsedMs = Math.max(0, now - before);
    before = now;
    const share = shareLeft(elapsedMs);
    const stroke = pointer && {
      fromX: last?.x ?? pointer.x,
      fromY: last?.y ?? pointer.y,
      toX: pointer.x,
      toY: pointer.y,
      reach: width * REACH,
    };
    last = pointer;
    pointer = null;
    if (!draw && context) {
      const scale = (canvas.clientWidth * PIXELS) / width;
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      draw = makeLamps(context, { dots, scale, colour });
    }
    let isGlowing = false;
    for (let index = 0; index < dots.length; index += 1) {
      const dot = dots[index];
      let charge = decayCharge(charges[index] ?? 0, share);
      if (stroke && dot) charge = Math.max(charge, chargeFromStroke(stroke, dot.x, dot.y));
      charges[index] = charge;
      isGlowing ||= charge > 0;
    }
    draw?.(charges);
    frame = isGlowing ? requestAnimationFrame(shine) : 0;
  }

  return { fit, follow, stop: () => cancelAnimationFrame(frame) };
}

function* pathsOf(svg: SVGSVGElement) {
  for (const path of svg.querySelectorAll('path')) {
    yield { diameter: Number(path.getAttribute('stroke-width')), moves: path.getAttribute('d') ?? '' };
  }
}

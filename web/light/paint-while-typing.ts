import type { MaskObject } from '../../brand/brand-shape.ts';
import { ownPaint } from './own-paint.ts';
import { pause } from './run-in-slices.ts';

/** WCAG 2.3.1 allows three flashes a second. A change is at most half of one, of hue alone. */
const CHANGE_MS = 400;
/** Duration of the paint after the last key. */
const LASTING_MS = 1500;
/** Time for which a new member sees their paint before the status page comes. */
const SHOWN_MS = 700;

/** Paints the mask by another invented code while somebody types their address. */
export function paintWhileTyping(object: Pick<MaskObject, 'paint'>, signal: AbortSignal): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  let endMs = 0;
  let changedMs = Number.NEGATIVE_INFINITY;
  let paints = 0;

  function show(code: string | null): void {
    changedMs = performance.now();
    object.paint(code);
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function change(): void {
    if (performance.now() > endMs) {
      stop();
      show(null);
      return;
    }
    paints += 1;
    // No member's code has the letter O.
    show(`FLICKER${paints}O`);
  }

  const untilChange = () => Math.max(0, changedMs + CHANGE_MS - performance.now());

  function type({ target }: Event): void {
    if (!(target instanceof HTMLInputElement) || target.type !== 'email') return;
    endMs = performance.now() + LASTING_MS;
    if (timer !== undefined) return;
    timer = setInterval(change, CHANGE_MS);
    if (untilChange() === 0) change();
  }

  async function paint(code: string): Promise<void> {
    stop();
    await pause(untilChange());
    show(code);
    await pause(SHOWN_MS);
  }

  addEventListener('input', type, { signal });
  ownPaint.paint = paint;
  signal.addEventListener('abort', () => {
    stop();
    object.paint(null);
    if (ownPaint.paint === paint) ownPaint.paint = null;
  });
}

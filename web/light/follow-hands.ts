/** Turns the mask after pointer and finger. */
import type { createMaskMotion } from './mask-motion.ts';

type Motion = ReturnType<typeof createMaskMotion>;
/** Position relative to the picture: 0 to 1 inside of it. */
type Point = { readonly x: number; readonly y: number; readonly ms: number };

/** Radians across the picture. */
const DRAG = { yaw: 2.2, pitch: 0.8 };
const FOLLOW = { yaw: 1.5, pitch: 0.5 };
const NEAR = 0.15;

export function followHands(
  art: HTMLElement,
  canvas: HTMLCanvasElement,
  motion: Motion,
  signal: AbortSignal,
  onPoint: (point: Point) => void,
): void {
  const listening = { signal, passive: true };
  let before: Point | null = null;
  let isHeld = false;

  function move({ clientX, clientY, timeStamp: ms, pointerType }: PointerEvent): void {
    const box = canvas.getBoundingClientRect();
    const x = (clientX - box.left) / box.width;
    const y = (clientY - box.top) / box.height;
    const from = before;
    const isNear = x > -NEAR && y > -NEAR && x < 1 + NEAR && y < 1 + NEAR;
    before = (isNear && !isTyping()) || isHeld ? { x, y, ms } : null;
    if (before) onPoint(before);
    if (isHeld && from)
      motion.drag({ yaw: (x - from.x) * DRAG.yaw, pitch: (from.y - y) * DRAG.pitch }, ms - from.ms);
    else if (pointerType === 'mouse')
      motion.follow(before && { yaw: (x - 0.5) * FOLLOW.yaw, pitch: (0.5 - y) * FOLLOW.pitch });
  }

  function hold(event: PointerEvent): void {
    isHeld = true;
    before = null;
    move(event);
  }

  function release(): void {
    isHeld = false;
    before = null;
    motion.release();
  }

  art.addEventListener('pointerdown', hold, listening);
  addEventListener('pointermove', move, listening);
  for (const type of ['pointerup', 'pointercancel'] as const)
    addEventListener(type, release, listening);
  document.documentElement.addEventListener('pointerleave', () => motion.follow(null), listening);
}

const isTyping = () => document.activeElement instanceof HTMLInputElement;

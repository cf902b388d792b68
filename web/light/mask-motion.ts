/** Motion of the mask, in radians: it sways, follows, is dragged, and springs back. */

export type Angles = { readonly yaw: number; readonly pitch: number };

const SWAY = { yaw: (20 * Math.PI) / 180, everyMs: 9000 };
const FURTHEST = { yaw: 1.3, pitch: 0.35 };
/** In 1/s² and 1/s. The mask is back within about a second, and overshoots once. */
const SPRING = { pull: 9, drag: 4.2 };
/** A late frame must not throw the mask. */
const LONGEST_STEP_MS = 50;

export function createMaskMotion() {
  const yaw = createAxis(FURTHEST.yaw);
  const pitch = createAxis(FURTHEST.pitch);
  let swayedMs = 0;
  let followed: Angles | null = null;
  let isHeld = false;

  return {
    /** The mask turns to these angles instead of swaying. */
    follow(angles: Angles | null): void {
      followed = angles;
    },
    /** The mask turns by as much as the finger or pointer that holds it. */
    drag(by: Angles, ms: number): void {
      isHeld = true;
      yaw.push(by.yaw, ms);
      pitch.push(by.pitch, ms);
    },
    /** The mask keeps its speed. */
    release(): void {
      isHeld = false;
    },
    step(elapsedMs: number): Angles {
      const ms = Math.min(LONGEST_STEP_MS, elapsedMs);
      if (!isHeld) {
        swayedMs = followed ? 0 : swayedMs + ms;
        const sway = SWAY.yaw * Math.sin((2 * Math.PI * swayedMs) / SWAY.everyMs);
        yaw.spring(followed?.yaw ?? sway, ms);
        pitch.spring(followed?.pitch ?? 0, ms);
      }
      return { yaw: yaw.angle(), pitch: pitch.angle() };
    },
  };
}

function createAxis(furthest: number) {
  let angle = 0;
  let speed = 0;
  const limit = (value: number) => Math.max(-furthest, Math.min(furthest, value));
  return {
    angle: () => angle,
    push(by: number, ms: number): void {
      angle = limit(angle + by);
      speed = ms > 0 ? (by / ms) * 1000 : speed;
    },
    spring(target: number, ms: number): void {
      const seconds = ms / 1000;
      speed += (SPRING.pull * (limit(target) - angle) - SPRING.drag * speed) * seconds;
      angle = limit(angle + speed * seconds);
    },
  };
}

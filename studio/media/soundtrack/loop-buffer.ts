export const SAMPLE_RATE = 48_000;

/** The value of a sound `seconds` after it began. */
export type Sound = (seconds: number) => number;

/** A stereo recording whose tail wraps around to its start, so that it loops without a click. */
export type LoopBuffer = { readonly left: Float32Array; readonly right: Float32Array };

export function createLoop(seconds: number): LoopBuffer {
  const length = Math.round(seconds * SAMPLE_RATE);
  return { left: new Float32Array(length), right: new Float32Array(length) };
}

/** Adds a sound. `pan` runs from 0 (left) to 1 (right), at constant power. */
export function addSound(
  { left, right }: LoopBuffer,
  sound: Sound,
  { at, lasts, level, pan = 0.5 }: { at: number; lasts: number; level: number; pan?: number },
): void {
  const start = Math.round(at * SAMPLE_RATE);
  const toLeft = level * Math.cos((pan * Math.PI) / 2);
  const toRight = level * Math.sin((pan * Math.PI) / 2);
  const samples = Math.round(lasts * SAMPLE_RATE);
  for (let index = 0; index < samples; index++) {
    const value = sound(index / SAMPLE_RATE);
    const target = (start + index) % left.length;
    left[target] = (left[target] ?? 0) + value * toLeft;
    right[target] = (right[target] ?? 0) + value * toRight;
  }
}

/** Adds one loop of the same length to another. */
export function mixInto(target: LoopBuffer, source: LoopBuffer, level: number): void {
  for (const side of ['left', 'right'] as const) {
    const from = source[side];
    const to = target[side];
    for (let index = 0; index < to.length; index++)
      to[index] = (to[index] ?? 0) + (from[index] ?? 0) * level;
  }
}

/** Multiplies the loop by a gain that depends on the time in it. */
export function shapeLoop({ left, right }: LoopBuffer, gainAt: (seconds: number) => number): void {
  for (let index = 0; index < left.length; index++) {
    const gain = gainAt(index / SAMPLE_RATE);
    left[index] = (left[index] ?? 0) * gain;
    right[index] = (right[index] ?? 0) * gain;
  }
}

/** Soft clipping by tanh, which leaves quiet sounds almost unchanged. */
export function softenPeaks({ left, right }: LoopBuffer): void {
  for (const side of [left, right]) {
    for (let index = 0; index < side.length; index++) side[index] = Math.tanh(side[index] ?? 0);
  }
}

/** Takes the mean away, which nobody hears but which costs headroom. */
export function removeOffset({ left, right }: LoopBuffer): void {
  for (const side of [left, right]) {
    const mean = side.reduce((sum, value) => sum + value, 0) / side.length;
    for (let index = 0; index < side.length; index++) side[index] = (side[index] ?? 0) - mean;
  }
}

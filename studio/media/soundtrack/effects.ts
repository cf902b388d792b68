import { createLoop, type LoopBuffer, SAMPLE_RATE } from './loop-buffer.ts';

/** Echoes that jump between left and right, each darker than the one before. */
export function pingPongDelay(
  source: LoopBuffer,
  { delaySeconds, feedback }: { delaySeconds: number; feedback: number },
) {
  const loop = emptyCopy(source);
  const delay = Math.round(delaySeconds * SAMPLE_RATE);
  let darkLeft = 0;
  let darkRight = 0;
  runTwice(source, (index, before) => {
    const past = before(delay);
    darkLeft += 0.35 * ((loop.right[past] ?? 0) * feedback - darkLeft);
    darkRight += 0.35 * ((loop.left[past] ?? 0) * feedback - darkRight);
    loop.left[index] = ((source.left[past] ?? 0) + (source.right[past] ?? 0)) * 0.7 + darkLeft;
    loop.right[index] = darkRight;
  });
  return loop;
}

/** Lengths of the delay lines, prime so that their echoes do not coincide. */
const LINE_LENGTHS = [1_723, 2_357, 2_999, 3_793] as const;

/**
 * A large, dark reverb: a feedback delay network of four lines. Its Householder matrix (x - sum/2)
 * keeps the energy; each line has a one-pole low-pass.
 */
export function reverb(source: LoopBuffer, { decay }: { decay: number }): LoopBuffer {
  const loop = emptyCopy(source);
  const lines = LINE_LENGTHS.map((length) => new Float32Array(length));
  const heads = [0, 0, 0, 0];
  const dark = [0, 0, 0, 0];
  runTwice(source, (index) => {
    const outs = lines.map((line, at) => line[heads[at] ?? 0] ?? 0);
    const half = outs.reduce((sum, value) => sum + value, 0) / 2;
    lines.forEach((line, at) => {
      const input = (at % 2 === 0 ? source.left[index] : source.right[index]) ?? 0;
      dark[at] = (dark[at] ?? 0) + 0.32 * (((outs[at] ?? 0) - half) * decay - (dark[at] ?? 0));
      const head = heads[at] ?? 0;
      line[head] = input + (dark[at] ?? 0);
      heads[at] = (head + 1) % line.length;
    });
    loop.left[index] = (outs[0] ?? 0) + (outs[2] ?? 0) * 0.6;
    loop.right[index] = (outs[1] ?? 0) + (outs[3] ?? 0) * 0.6;
  });
  return loop;
}

/** The first round fills the delays; the second is kept, so its start has the tail of the end. */
function runTwice(
  source: LoopBuffer,
  step: (index: number, before: (delay: number) => number) => void,
): void {
  const { length } = source.left;
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < length; index++)
      step(index, (delay) => (index - delay + length) % length);
  }
}

function emptyCopy(source: LoopBuffer): LoopBuffer {
  return createLoop(source.left.length / SAMPLE_RATE);
}

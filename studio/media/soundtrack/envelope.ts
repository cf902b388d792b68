import type { OutputFile } from '../output-file.ts';
import { type LoopBuffer, SAMPLE_RATE } from './loop-buffer.ts';

const STEP_SECONDS = 0.1;
/** Wide enough that light following the music never flickers. */
const SMOOTHING_SECONDS = 0.22;
const LOUDEST_LEVEL = 9;

/** The loudness of the loop that the page's light follows: ten digits from 0 to 9 a second. */
export function makeEnvelope(track: LoopBuffer): OutputFile {
  const levels = measureEnvelope(track);
  const json = JSON.stringify({ stepSeconds: STEP_SECONDS, levels: levels.join('') });
  return { name: 'soundtrack-envelope.json', bytes: Buffer.from(`${json}\n`) };
}

/** Smoothed across the loop's end and scaled to the full range. */
export function measureEnvelope({ left, right }: LoopBuffer): number[] {
  const samples = Math.round(SAMPLE_RATE * STEP_SECONDS);
  const steps = Math.floor(left.length / samples);
  const loudness = Array.from({ length: steps }, (_, step) => {
    let energy = 0;
    for (let index = step * samples; index < (step + 1) * samples; index += 1) {
      energy += (left[index] ?? 0) ** 2 + (right[index] ?? 0) ** 2;
    }
    return Math.sqrt(energy / samples);
  });
  const smooth = loudness.map((_, step) => smoothAt(loudness, step));
  const softest = Math.min(...smooth);
  const range = Math.max(...smooth) - softest;
  return smooth.map((value) =>
    range === 0 ? 0 : Math.round((LOUDEST_LEVEL * (value - softest)) / range),
  );
}

/** A Gaussian mean around one step. */
function smoothAt(values: readonly number[], step: number): number {
  const width = SMOOTHING_SECONDS / STEP_SECONDS;
  const reach = Math.ceil(3 * width);
  let sum = 0;
  let weights = 0;
  for (let offset = -reach; offset <= reach; offset += 1) {
    const weight = Math.exp(-(offset * offset) / (2 * width * width));
    sum += weight * (values[(step + offset + values.length) % values.length] ?? 0);
    weights += weight;
  }
  return sum / weights;
}

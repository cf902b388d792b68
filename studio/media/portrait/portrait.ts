/** The portrait of the mask for `brand/static/`, in the colours of the brand. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutputFile } from '../../../scripts/pictures/brand-icons.ts';
import type { CardStyle } from '../../../server/site/share/brand-folder.ts';
import { encodeUnder } from '../encode.ts';
import { type Camera, photograph } from './photograph.ts';
import { times, type Vector } from './vector.ts';

const CAMERA: Camera = {
  width: 720,
  height: 900,
  samples: 4,
  yaw: 0.64,
  pitch: 0.09,
  target: [0.04, 0.16, -0.25],
  distance: 6.3,
};
const CODE = '7K3MPQ9XHT';
const MAX_BYTES = 40_000;

export async function makePortrait({ tokens }: CardStyle): Promise<OutputFile> {
  const pixels = photograph(CAMERA, {
    code: CODE,
    shell: times(linearOf(tokens.bone), 0.63),
    paint: times(linearOf(tokens.afterglow), 0.5),
    background: linearOf(tokens.void),
  });
  const folder = await mkdtemp(join(tmpdir(), 'portrait-'));
  const size = `${CAMERA.width}x${CAMERA.height}`;
  try {
    return await encodeUnder({
      target: join(folder, 'mask.avif'),
      options: [
        ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', size, '-i', '-', '-frames:v', '1'],
        ...['-pix_fmt', 'yuv420p', '-c:v', 'libaom-av1', '-still-picture', '1', '-cpu-used', '3'],
      ],
      input: [pixels],
      qualityOption: '-crf',
      qualities: [22, 26, 30, 34, 38, 42],
      maxBytes: MAX_BYTES,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** `#rrggbb` as linear light. */
function linearOf(colour: string): Vector {
  const bits = Number.parseInt(colour.slice(1), 16);
  const channel = (shift: number) => {
    const value = ((bits >> shift) & 255) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(16), channel(8), channel(0)];
}

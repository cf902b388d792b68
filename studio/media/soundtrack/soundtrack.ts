import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureLoudness, runFfmpeg } from '../ffmpeg.ts';
import type { OutputFile } from '../output-file.ts';
import { makeEnvelope } from './envelope.ts';
import { type LoopBuffer, SAMPLE_RATE } from './loop-buffer.ts';
import { renderSoundtrack } from './mix.ts';

/** Quiet: iOS ignores the volume that the page sets. */
export const TARGET_LUFS = -20;

/** The soundtrack at its loudness as AAC and Opus, and the envelope for the page's light. */
export async function makeSoundtrack(): Promise<OutputFile[]> {
  const folder = await mkdtemp(join(tmpdir(), 'soundtrack-'));
  try {
    const raw = join(folder, 'raw.wav');
    const track = renderSoundtrack();
    await writeFile(raw, floatWav(track));
    const { integratedLufs } = await measureLoudness(raw);
    const gain = `volume=${(TARGET_LUFS - integratedLufs).toFixed(2)}dB`;
    return [
      makeEnvelope(track),
      await encode(folder, raw, 'soundtrack.m4a', [
        '-af',
        gain,
        '-c:a',
        'aac',
        '-b:a',
        '72k',
        '-movflags',
        '+faststart',
      ]),
      await encode(folder, raw, 'soundtrack.opus', ['-af', gain, '-c:a', 'libopus', '-b:a', '40k']),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function encode(
  folder: string,
  source: string,
  name: string,
  options: readonly string[],
): Promise<OutputFile> {
  const target = join(folder, name);
  await runFfmpeg([
    '-i',
    source,
    ...options,
    '-map_metadata',
    '-1',
    '-fflags',
    '+bitexact',
    target,
  ]);
  const { integratedLufs, truePeakDb } = await measureLoudness(target);
  console.log(`${name} ${integratedLufs} LUFS, true peak ${truePeakDb} dB`);
  return { name, bytes: await readFile(target) };
}

/** A WAV file of 32-bit floats, so that nothing clips before the gain is set. */
export function floatWav({ left, right }: LoopBuffer): Buffer {
  const dataBytes = left.length * 8;
  const wav = Buffer.alloc(44 + dataBytes);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + dataBytes, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(3, 20);
  wav.writeUInt16LE(2, 22);
  wav.writeUInt32LE(SAMPLE_RATE, 24);
  wav.writeUInt32LE(SAMPLE_RATE * 8, 28);
  wav.writeUInt16LE(8, 32);
  wav.writeUInt16LE(32, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(dataBytes, 40);
  for (let index = 0; index < left.length; index++) {
    wav.writeFloatLE(left[index] ?? 0, 44 + index * 8);
    wav.writeFloatLE(right[index] ?? 0, 48 + index * 8);
  }
  return wav;
}

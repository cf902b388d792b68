import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OutputFile } from '../../../scripts/pictures/brand-icons.ts';
import type { CardStyle } from '../../../server/site/share/brand-folder.ts';
import { encodeUnder, runFfmpeg } from '../encode.ts';
import { type Cut, cuts, prepareCut } from './cut.ts';
import type { Frame } from './frame.ts';
import { BEAT_SECONDS, FACES_BEAT, FILM_SECONDS, POSTER_SECONDS } from './timeline.ts';

const FRAMES_PER_SECOND = 30;

/** The first face appears where the drums return, with bar 20 from 0. */
const EXCERPT_START_SECONDS = (20 * 4 - FACES_BEAT) * BEAT_SECONDS;
const EXCERPT = [
  ...['-ss', EXCERPT_START_SECONDS.toFixed(4), '-t', FILM_SECONDS.toFixed(4)],
  ...['-i', fileURLToPath(new URL('../../../brand/media/soundtrack.m4a', import.meta.url))],
  ...['-af', `afade=t=in:d=0.1,afade=t=out:st=${(FILM_SECONDS - 1).toFixed(2)}:d=1`],
];

/**
 * BT.709, as HD players assume; otherwise the colours shift. Colour at half the resolution is sited
 * to the left, where players look for it: by default the scaler sites it half a pixel beside that.
 */
const HD_COLOUR = [
  '-vf',
  [
    'scale=in_range=pc:out_color_matrix=bt709:out_range=tv',
    'out_h_chr_pos=0:out_v_chr_pos=128',
    'flags=lanczos+accurate_rnd+full_chroma_int+full_chroma_inp,format=yuv420p',
  ].join(':'),
  ...['-color_range', 'tv', '-chroma_sample_location', 'left'],
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
];

export async function makeTeaser(style: CardStyle, brandDir: string): Promise<OutputFile[]> {
  const folder = await mkdtemp(join(tmpdir(), 'teaser-'));
  try {
    const files: OutputFile[] = [];
    for (const cut of cuts) {
      const drawFrame = await prepareCut(cut, style, brandDir);
      files.push(...(await encodeFilm(cut, drawFrame, folder)));
      files.push(...(await encodePoster(cut, drawFrame(POSTER_SECONDS), folder)));
    }
    return files;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function encodeFilm(
  cut: Cut,
  drawFrame: (seconds: number) => Frame,
  folder: string,
): Promise<OutputFile[]> {
  const master = join(folder, `${cut.name}.mkv`);
  const rate = ['-r', String(FRAMES_PER_SECOND)];
  const lossless = [...rawVideo(cut), ...rate, '-i', '-', '-c:v', 'ffv1', master];
  await runFfmpeg(lossless, framesOf(drawFrame));

  const audio = words('-c:a aac -b:a 56k -movflags +faststart');
  const film = ['-i', master, ...EXCERPT, ...HD_COLOUR, ...audio];
  return [
    await encodeUnder({
      target: join(folder, `teaser-${cut.name}.mp4`),
      options: [...film, ...words('-c:v libx264 -preset slower -tune animation -profile:v high')],
      qualityOption: '-crf',
      qualities: [32, 34, 36],
      maxBytes: 700_000,
    }),
    await encodeUnder({
      target: join(folder, `teaser-${cut.name}.av1.mp4`),
      options: [...film, ...words('-c:v libsvtav1 -preset 5 -g 400')],
      qualityOption: '-crf',
      qualities: [58, 60, 62, 63],
      maxBytes: 450_000,
    }),
  ];
}

async function encodePoster(cut: Cut, { pixels }: Frame, folder: string): Promise<OutputFile[]> {
  const still = [...rawVideo(cut), '-i', '-', '-frames:v', '1'];
  return [
    await encodeUnder({
      target: join(folder, `poster-${cut.name}.avif`),
      options: [
        ...still,
        ...words('-pix_fmt yuv420p -c:v libaom-av1 -still-picture 1 -cpu-used 3'),
      ],
      input: [pixels],
      qualityOption: '-crf',
      qualities: [40, 44, 48, 52, 56],
      maxBytes: 20_000,
    }),
    await encodeUnder({
      target: join(folder, `poster-${cut.name}.jpg`),
      options: [...still, '-pix_fmt', 'yuvj420p'],
      input: [pixels],
      qualityOption: '-q:v',
      qualities: [3, 5, 7, 9],
      maxBytes: 90_000,
    }),
  ];
}

function words(options: string): string[] {
  return options.split(' ');
}

function rawVideo({ width, height }: Cut): string[] {
  return ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`];
}

function* framesOf(drawFrame: (seconds: number) => Frame): Generator<Uint8Array> {
  const count = Math.round(FILM_SECONDS * FRAMES_PER_SECOND);
  for (let index = 0; index < count; index++) yield drawFrame(index / FRAMES_PER_SECOND).pixels;
}

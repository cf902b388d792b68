/** The drawing thread: jobs in, JPEG files out, one at a time. What it cannot draw ends it; the renderer starts another. */
import { parentPort, workerData } from 'node:worker_threads';
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import { listFontFiles, loadCardStyle } from './brand-folder.ts';
import { drawJob, type RenderJob } from './render-job.ts';

/** Some chat apps drop larger previews; a ghost is loaded with every mail. */
const MOST_BYTES: Readonly<Record<RenderJob['kind'], number>> = {
  'invite-card': 99_000,
  'member-image': 290_000,
  ghost: 39_000,
};
/** From the best downward, until the file is small enough. */
const QUALITIES = [84, 74, 62, 48];

const brandDir: string = workerData;
const style = await loadCardStyle(brandDir);
const fontFiles = listFontFiles(brandDir);
/** System faces differ by machine: only a brand without faces of its own is drawn in them. */
const font = { fontFiles, loadSystemFonts: fontFiles.length === 0 };

// Pictures follow each other and never repeat: nothing to keep, nothing to do at once.
sharp.cache(false);
sharp.concurrency(1);

parentPort?.on('message', async (job: RenderJob) => {
  const svg = drawJob(job, style);
  const picture = new Resvg(svg, { font }).render();
  const { width, height, pixels } = picture;
  const bytes = new Uint8Array(await encodeJpeg({ width, height, pixels, mostBytes: MOST_BYTES[job.kind] }));
  parentPort?.postMessage(bytes, [bytes.buffer]);
});

type Pixels = { width: number; height: number; pixels: Buffer; mostBytes: number };

async function encodeJpeg({ width, height, pixels, mostBytes }: Pixels): Promise<Buffer> {
  const picture = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
  for (const quality of QUALITIES) {
    const bytes = await picture.clone().jpeg({ quality, mozjpeg: true }).toBuffer();
    if (bytes.length <= mostBytes) return bytes;
  }
  throw new Error(`A picture of ${width} x ${height} cannot be kept under ${mostBytes} bytes.`);
}

/** The drawing thread: jobs in, JPEG files out. A failure ends it; the renderer starts another. */
import { parentPort, workerData } from 'node:worker_threads';
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import { listFontFiles, loadCardStyle } from './brand-folder.ts';
import { drawJob, type RenderJob } from './render-job.ts';

/** Some chat apps ignore larger previews; a ghost is loaded with every mail. */
const MAX_BYTES: Readonly<Record<RenderJob['kind'], number>> = {
  'invite-card': 99_000,
  'member-image': 290_000,
  ghost: 39_000,
};
/** Tried in turn until the file is small enough. */
const QUALITIES = [84, 74, 62, 48];

const brandDir: string = workerData;
const style = await loadCardStyle(brandDir);
const fontFiles = listFontFiles(brandDir);
/** System fonts differ by machine, so only a brand without fonts of its own uses them. */
const font = { fontFiles, loadSystemFonts: fontFiles.length === 0 };

// No image repeats, so a cache would only take memory.
sharp.cache(false);
sharp.concurrency(1);

parentPort?.on('message', async (job: RenderJob) => {
  const svg = drawJob(job, style);
  const picture = new Resvg(svg, { font }).render();
  const { width, height, pixels } = picture;
  const bytes = new Uint8Array(
    await encodeJpeg({ width, height, pixels, maxBytes: MAX_BYTES[job.kind] }),
  );
  parentPort?.postMessage(bytes, [bytes.buffer]);
});

type Pixels = { width: number; height: number; pixels: Buffer; maxBytes: number };

async function encodeJpeg({ width, height, pixels, maxBytes }: Pixels): Promise<Buffer> {
  const picture = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
  for (const quality of QUALITIES) {
    const bytes = await picture.clone().jpeg({ quality, mozjpeg: true }).toBuffer();
    if (bytes.length <= maxBytes) return bytes;
  }
  throw new Error(`An image of ${width} x ${height} does not fit ${maxBytes} bytes.`);
}

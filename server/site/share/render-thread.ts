/** The drawing thread. A failure ends it, and the renderer starts another one. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadCardStyle } from './brand-folder.ts';
import type { EncodeJpeg } from './encode-jpeg.ts';
import { drawJob, type ImageJob, isSvgJob, type RenderJob } from './render-job.ts';

/** Some chat apps ignore larger previews, and every mail loads a ghost. */
const MAX_BYTES: Readonly<Record<ImageJob['kind'], number>> = {
  'invite-card': 99_000,
  'member-image': 290_000,
  'pass-image': 290_000,
  ghost: 39_000,
  reward: 39_000,
};

const brandDir: string = workerData;
const style = await loadCardStyle(brandDir);
let encoder: Promise<EncodeJpeg> | undefined;

parentPort?.on('message', async (job: RenderJob) => {
  const svg = drawJob(job, style);
  if (isSvgJob(job)) {
    parentPort?.postMessage(svg);
    return;
  }
  // A thread without the encoder is small and starts sooner.
  encoder ??= import('./encode-jpeg.ts').then((module) => module.openJpegEncoder(brandDir));
  const bytes = await (await encoder)(svg, MAX_BYTES[job.kind]);
  parentPort?.postMessage(bytes, [bytes.buffer]);
});

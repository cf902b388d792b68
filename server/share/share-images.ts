import { openKeptImages } from './kept-images.ts';
import type { RenderJob } from './render-job.ts';
import type { Renderer } from './renderer.ts';

export type ShareImages = {
  /** A JPEG; the same job asked for by many at once is drawn once. Throws what the renderer throws. */
  draw(job: RenderJob): Promise<Buffer>;
  keptBytes(): number;
};

/** About 300 pictures. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** Only ever ask for codes of members: whatever is drawn is kept. */
export function openShareImages(renderer: Renderer, { keptBytes = KEPT_BYTES } = {}): ShareImages {
  const kept = openKeptImages(keptBytes);
  const underWay = new Map<string, Promise<Buffer>>();

  async function render(key: string, job: RenderJob): Promise<Buffer> {
    try {
      const image = await renderer.render(job);
      kept.keep(key, image);
      return image;
    } finally {
      underWay.delete(key);
    }
  }

  return {
    async draw(job) {
      const key = JSON.stringify(job);
      const image = kept.get(key);
      if (image) return image;
      const drawing = underWay.get(key) ?? render(key, job);
      underWay.set(key, drawing);
      return await drawing;
    },
    keptBytes: kept.bytes,
  };
}

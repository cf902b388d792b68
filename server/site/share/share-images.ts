import { LRUCache } from 'lru-cache';
import type { RenderJob } from './render-job.ts';
import type { Renderer } from './renderer.ts';

export type ShareImages = {
  /** A JPEG. Concurrent calls for the same job draw it once. Throws what the renderer throws. */
  draw(job: RenderJob): Promise<Buffer>;
  cachedBytes(): number;
};

/** About 300 images. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/** Call it for codes of members only: every image drawn is cached. */
export function openShareImages(
  renderer: Renderer,
  { maxCachedBytes = MAX_CACHED_BYTES } = {},
): ShareImages {
  const images = new LRUCache<string, Buffer, { job: RenderJob }>({
    maxSize: maxCachedBytes,
    sizeCalculation: (image) => image.length,
    fetchMethod: (_key, _stale, { context: { job } }) => renderer.render(job),
    // Callers still wait for an image whose entry was evicted while it was drawn.
    ignoreFetchAbort: true,
  });
  return {
    draw: (job) => images.forceFetch(JSON.stringify(job), { context: { job } }),
    cachedBytes: () => images.calculatedSize,
  };
}

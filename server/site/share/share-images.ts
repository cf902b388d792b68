import { LRUCache } from 'lru-cache';
import { limitKeyOf } from '../../http/admission/client-address.ts';
import { type Drawn, isSvgJob, type RenderJob } from './render-job.ts';
import type { Renderers } from './renderer.ts';

export type ShareImages = {
  /**
   * Draws for the visitor at `ip`. Later calls get the cached picture, and concurrent ones of one
   * visitor take one turn. Throws what the renderer throws.
   */
  draw<Job extends RenderJob>(job: Job, ip: string): Promise<Drawn<Job>>;
  cachedBytes(): number;
};

/** About 300 images. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/** Call it for codes of members only: everything drawn is cached. */
export function openShareImages(
  { images, svgs }: Renderers,
  { maxCachedBytes = MAX_CACHED_BYTES } = {},
): ShareImages {
  const cache = new LRUCache<string, string | Buffer>({
    maxSize: maxCachedBytes,
    sizeCalculation: (drawn) => drawn.length,
  });
  const underWay = new Map<string, Promise<string | Buffer>>();

  async function draw(job: RenderJob, ip: string): Promise<string | Buffer> {
    const key = JSON.stringify(job);
    const asker = limitKeyOf(ip);
    const turn = `${asker} ${key}`;
    const ready = cache.get(key) ?? underWay.get(turn);
    if (ready !== undefined) return await ready;
    const drawing = (isSvgJob(job) ? svgs : images).render(job, asker);
    underWay.set(turn, drawing);
    try {
      const drawn = await drawing;
      cache.set(key, drawn);
      return drawn;
    } finally {
      underWay.delete(turn);
    }
  }

  return { draw: draw as ShareImages['draw'], cachedBytes: () => cache.calculatedSize };
}

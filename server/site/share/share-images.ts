import { LRUCache } from 'lru-cache';
import { limitKeyOf } from '../../http/admission/client-address.ts';
import { type Drawn, isSvgJob, type RenderJob } from './render-job.ts';
import type { Renderers } from './renderer.ts';

export type ShareImages = {
  /** Concurrent calls of one visitor for one picture share a task. Throws like the renderer. */
  draw<Job extends RenderJob>(job: Job, ip: string): Promise<Drawn<Job>>;
  cachedBytes(): number;
};

const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/** Call `draw` for codes of members only, because it caches every picture. */
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
    const visitor = limitKeyOf(ip);
    const task = `${visitor} ${key}`;
    const ready = cache.get(key) ?? underWay.get(task);
    if (ready !== undefined) return await ready;
    const drawing = (isSvgJob(job) ? svgs : images).render(job, visitor);
    underWay.set(task, drawing);
    try {
      const drawn = await drawing;
      cache.set(key, drawn);
      return drawn;
    } finally {
      underWay.delete(task);
    }
  }

  return { draw: draw as ShareImages['draw'], cachedBytes: () => cache.calculatedSize };
}

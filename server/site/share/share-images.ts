import { LRUCache } from 'lru-cache';
import { limitKeyOf } from '../../http/admission/client-address.ts';
import { type Drawn, isSvgJob, type RenderJob } from './render-job.ts';
import type { Renderers } from './renderer.ts';

export type ShareImages = ReturnType<typeof openShareImages>;

const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/** Call `draw` for codes of members only, because it caches every picture. */
export function openShareImages(
  { images, svgs }: Renderers,
  { maxCachedBytes = MAX_CACHED_BYTES } = {},
) {
  const cache = new LRUCache<string, string | Buffer>({
    maxSize: maxCachedBytes,
    sizeCalculation: (drawn) => drawn.length,
  });
  const underWay = new Map<string, Promise<string | Buffer>>();

  /** Concurrent calls of one visitor for one picture share a task. Throws like the renderer. */
  async function draw<Job extends RenderJob>(job: Job, ip: string): Promise<Drawn<Job>> {
    const key = JSON.stringify(job);
    const visitor = limitKeyOf(ip);
    const task = `${visitor} ${key}`;
    const ready = cache.get(key) ?? underWay.get(task);
    if (ready !== undefined) return (await ready) as Drawn<Job>;
    const drawing: Promise<Drawn<Job>> = (isSvgJob(job) ? svgs : images).render(job, visitor);
    underWay.set(task, drawing);
    try {
      const drawn = await drawing;
      cache.set(key, drawn);
      return drawn;
    } finally {
      underWay.delete(task);
    }
  }

  return { draw, cachedBytes: () => cache.calculatedSize };
}

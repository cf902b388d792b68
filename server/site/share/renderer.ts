/** Draws on a worker thread, one picture at a time, behind a queue that is fair to addresses. */
import { Worker } from 'node:worker_threads';
import { openFairQueue } from '../../guard/concurrency/fair-queue.ts';
import { Problem } from '../../problem.ts';
import type { Drawn, RenderJob } from './render-job.ts';

export type Renderer = ReturnType<typeof openRenderer>;

type Task = {
  readonly job: RenderJob;
  readonly key: string;
  resolve(drawn: string | Buffer): void;
  reject(problem: Problem): void;
};

/** Images for about five seconds, and SVGs for an eighth of a second. */
const MAX_WAITING = 32;
const MAX_WAITING_SVGS = 64;
const RENDER_DEADLINE_MS = 10_000;
const RETRY = { retryAfterSeconds: 5 };
/** A thread that has drawn images holds some 100 MB, so an idle one is ended. */
const IDLE_MS = 60_000;

type RendererOptions = {
  readonly brandDir: string;
  readonly maxWaiting?: number;
  readonly idleMs?: number | null;
  readonly onFailure?: (error: unknown) => void;
};

export type Renderers = { readonly images: Renderer; readonly svgs: Renderer };

/** SVGs have a thread that stays, because pages must not wait for images or a start. */
export function openRenderers(
  options: Pick<RendererOptions, 'brandDir' | 'onFailure'>,
): Renderers & Pick<Renderer, 'close'> {
  const images = openRenderer(options);
  const svgs = openRenderer({ ...options, maxWaiting: MAX_WAITING_SVGS, idleMs: null });
  return {
    images,
    svgs,
    async close() {
      await Promise.all([images.close(), svgs.close()]);
    },
  };
}

export function openRenderer({
  brandDir,
  maxWaiting = MAX_WAITING,
  idleMs = IDLE_MS,
  onFailure = () => undefined,
}: RendererOptions) {
  const waiting = openFairQueue<Task>(maxWaiting);
  let current: Task | null = null;
  let thread: Worker | null = null;
  let isClosed = false;
  let deadline: NodeJS.Timeout | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function startThread(): Worker {
    const started = new Worker(new URL('./render-thread.ts', import.meta.url), {
      workerData: brandDir,
    });
    started.on('message', (message: string | Uint8Array) => {
      const drawn = typeof message === 'string' ? message : Buffer.from(message.buffer);
      finish((task) => task.resolve(drawn));
    });
    // A crash emits 'error' and then 'exit'; terminate() emits 'exit' alone.
    started.on('error', onFailure);
    started.on('exit', () => {
      if (thread !== started) return;
      thread = null;
      finish((task) => task.reject(cannotDraw()));
    });
    return started;
  }

  /** Settles the current task, and the tasks of other visitors for the same picture. */
  function finish(settle: (task: Task) => void): void {
    clearTimeout(deadline);
    const done = current;
    current = null;
    if (done !== null)
      for (const task of [done, ...waiting.take(({ key }) => key === done.key)]) settle(task);
    startNext();
  }

  function startNext(): void {
    if (current !== null) return;
    current = waiting.shift();
    clearTimeout(idleTimer);
    if (current === null) {
      if (idleMs !== null) idleTimer = setTimeout(endThread, idleMs).unref();
      return;
    }
    thread ??= startThread();
    deadline = setTimeout(() => thread?.terminate(), RENDER_DEADLINE_MS);
    thread.postMessage(current.job);
  }

  async function endThread(): Promise<void> {
    const ending = thread;
    thread = null;
    await ending?.terminate();
  }

  async function render<Job extends RenderJob>(job: Job, visitor: string): Promise<Drawn<Job>> {
    if (isClosed) throw cannotDraw();
    const { promise, resolve, reject } = Promise.withResolvers<string | Buffer>();
    const task = { job, key: JSON.stringify(job), resolve, reject };
    waiting.push(visitor, task)?.reject(tooManyWaiting());
    startNext();
    return (await promise) as Drawn<Job>;
  }

  return {
    render,
    warmUp(): void {
      thread ??= startThread();
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(deadline);
      clearTimeout(idleTimer);
      current?.reject(cannotDraw());
      for (const task of waiting.take(() => true)) task.reject(cannotDraw());
      await endThread();
    },
  };
}

function tooManyWaiting(): Problem {
  const detail = 'Too many images are being drawn right now. Please try again in a moment.';
  return new Problem('too_busy', detail, RETRY);
}

function cannotDraw(): Problem {
  const detail = 'This image could not be drawn. Please try again in a moment.';
  return new Problem('unavailable', detail, RETRY);
}

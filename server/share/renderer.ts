/** Hands drawing to a thread of its own, one picture at a time, with a bounded queue before it. */
import { Worker } from 'node:worker_threads';
import { Problem } from '../problem.ts';
import type { RenderJob } from './render-job.ts';

export type Renderer = {
  /** A JPEG. Throws Problem too_busy when too many wait already, unavailable when the thread ended over this picture. */
  render(job: RenderJob): Promise<Buffer>;
  close(): Promise<void>;
};

type Task = { readonly job: RenderJob; resolve(bytes: Buffer): void; reject(problem: Problem): void };

/** About five seconds of drawing: who is further back would not wait for it anyway. */
const MAX_WAITING = 32;
const RENDER_DEADLINE_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;
/** A thread that has drawn holds some 100 MB: it is ended when nothing more comes. */
const IDLE_MS = 60_000;

type RendererOptions = {
  readonly brandDir: string;
  readonly maxWaiting?: number;
  readonly idleMs?: number;
  /** Told why the thread ended over a picture. */
  readonly onFailure?: (error: unknown) => void;
};

/** The thread starts with the first picture, not with the server. */
export function openRenderer({
  brandDir,
  maxWaiting = MAX_WAITING,
  idleMs = IDLE_MS,
  onFailure = () => undefined,
}: RendererOptions): Renderer {
  const waiting: Task[] = [];
  let current: Task | null = null;
  let thread: Worker | null = null;
  let isClosed = false;
  let deadline: NodeJS.Timeout | undefined;
  let rest: NodeJS.Timeout | undefined;

  function startThread(): Worker {
    const started = new Worker(new URL('./render-thread.ts', import.meta.url), { workerData: brandDir });
    started.on('message', (bytes: Uint8Array) => finish((task) => task.resolve(Buffer.from(bytes.buffer))));
    // A thread that fails tells 'error' and then 'exit'; one that is ended tells 'exit' alone.
    started.on('error', onFailure);
    started.on('exit', () => {
      if (thread !== started) return;
      thread = null;
      finish((task) => task.reject(cannotDraw()));
    });
    return started;
  }

  function finish(settle: (task: Task) => void): void {
    clearTimeout(deadline);
    const task = current;
    current = null;
    if (task) settle(task);
    startNext();
  }

  function startNext(): void {
    if (current !== null) return;
    current = waiting.shift() ?? null;
    clearTimeout(rest);
    if (current === null) {
      rest = setTimeout(endThread, idleMs).unref();
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

  return {
    render: (job) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(cannotDraw());
        if (waiting.length >= maxWaiting) return reject(tooManyWaiting());
        waiting.push({ job, resolve, reject });
        startNext();
      }),
    async close() {
      isClosed = true;
      clearTimeout(deadline);
      clearTimeout(rest);
      current?.reject(cannotDraw());
      for (const task of waiting.splice(0)) task.reject(cannotDraw());
      await endThread();
    },
  };
}

function tooManyWaiting(): Problem {
  const detail = 'Too many pictures are being drawn right now. Please try again in a moment.';
  return new Problem('too_busy', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function cannotDraw(): Problem {
  const detail = 'This picture could not be drawn. Please try again in a moment.';
  return new Problem('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

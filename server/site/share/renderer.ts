/** Draws images on a worker thread, one at a time, behind a bounded queue. */
import { Worker } from 'node:worker_threads';
import { Problem } from '../../problem.ts';
import type { RenderJob } from './render-job.ts';

export type Renderer = {
  /** A JPEG. Throws Problem too_busy when the queue is full, unavailable after a crash. */
  render(job: RenderJob): Promise<Buffer>;
  close(): Promise<void>;
};

type Task = {
  readonly job: RenderJob;
  resolve(bytes: Buffer): void;
  reject(problem: Problem): void;
};

/** About five seconds of drawing; visitors do not wait longer for an image. */
const MAX_WAITING = 32;
const RENDER_DEADLINE_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;
/** A thread that has drawn holds some 100 MB, so an idle one is ended. */
const IDLE_MS = 60_000;

type RendererOptions = {
  readonly brandDir: string;
  readonly maxWaiting?: number;
  readonly idleMs?: number;
  /** Called with the error that crashed the thread. */
  readonly onFailure?: (error: unknown) => void;
};

/** The thread starts with the first image, not with the server. */
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
  let idleTimer: NodeJS.Timeout | undefined;

  function startThread(): Worker {
    const started = new Worker(new URL('./render-thread.ts', import.meta.url), {
      workerData: brandDir,
    });
    started.on('message', (bytes: Uint8Array) =>
      finish((task) => task.resolve(Buffer.from(bytes.buffer))),
    );
    // A crash emits 'error' and then 'exit', terminate() emits 'exit' only.
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
    clearTimeout(idleTimer);
    if (current === null) {
      idleTimer = setTimeout(endThread, idleMs).unref();
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
      clearTimeout(idleTimer);
      current?.reject(cannotDraw());
      for (const task of waiting.splice(0)) task.reject(cannotDraw());
      await endThread();
    },
  };
}

function tooManyWaiting(): Problem {
  const detail = 'Too many images are being drawn right now. Please try again in a moment.';
  return new Problem('too_busy', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function cannotDraw(): Problem {
  const detail = 'This image could not be drawn. Please try again in a moment.';
  return new Problem('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

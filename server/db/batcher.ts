import { Problem } from '../problem.ts';

export type BatcherOptions<Request, Answer> = {
  /** Answers or refuses each of the requests, in their order. When it throws, all of them are refused. */
  readonly runBatch: (requests: readonly Request[]) => Promise<readonly (Answer | Error)[]>;
  readonly maxBatchSize: number;
  /** Batches that may be under way at once; more than one only where another process does the work. */
  readonly maxInFlight: number;
  /** How many must wait for a batch to begin beside others; the first one waits for nobody. */
  readonly minBeside?: number;
  /** Requests that may wait; one more is refused at once. */
  readonly maxWaiting: number;
  /** A request that has not begun by then is refused. */
  readonly maxWaitMs: number;
};

export type Batcher<Request, Answer> = {
  /** Throws Problem too_busy when it would wait too long. */
  ask(request: Request): Promise<Answer>;
  /** Takes nothing new and resolves when all that was accepted is answered. */
  close(): Promise<void>;
};

/**
 * Answers requests together without making any of them wait for company: a batch begins as soon as the sockets that are readable
 * now have been read, and those that arrive while it is under way form the next. Rejected: collecting for some
 * milliseconds, which delays every lone request; and beginning with the first request read, because the embedded engine
 * works on this thread: the others would stay unread and every batch would hold one.
 *
 * Where another process does the work, it is kept from waiting for this one: further batches begin beside the first once enough requests
 * wait (sooner, batches would only get smaller), and the next one is sent before the answers of the last.
 */
export function openBatcher<Request, Answer>(options: BatcherOptions<Request, Answer>): Batcher<Request, Answer> {
  type Waiting = { request: Request; answer: PromiseWithResolvers<Answer>; deadline: NodeJS.Timeout };
  const waiting = new Set<Waiting>();
  const inFlight = new Set<Promise<void>>();
  const { minBeside = 1 } = options;
  const isElsewhere = options.maxInFlight > 1;
  let isClosed = false;
  let isStarting = false;

  function startSoon(): void {
    if (isStarting) return;
    isStarting = true;
    setImmediate(() => {
      isStarting = false;
      startBatches();
    });
  }

  function mayStart(): boolean {
    if (waiting.size === 0 || inFlight.size >= options.maxInFlight) return false;
    return inFlight.size === 0 || waiting.size >= minBeside;
  }

  function startBatches(): void {
    while (mayStart()) {
      const batch = [...waiting].slice(0, options.maxBatchSize);
      for (const each of batch) {
        waiting.delete(each);
        clearTimeout(each.deadline);
      }
      const run = settle(batch, () => {
        inFlight.delete(run);
        if (isElsewhere) startBatches();
        else startSoon();
      });
      inFlight.add(run);
    }
  }

  async function settle(batch: readonly Waiting[], onEnd: () => void): Promise<void> {
    try {
      const answers = await options.runBatch(batch.map((each) => each.request)).finally(onEnd);
      for (const [index, each] of batch.entries()) {
        const answer = answers[index];
        if (answer instanceof Error) each.answer.reject(answer);
        else each.answer.resolve(answer as Answer);
      }
    } catch (error) {
      for (const each of batch) each.answer.reject(error);
    }
  }

  return {
    async ask(request) {
      if (isClosed) throw new Problem('unavailable', 'We are restarting. Please try again.', { retryAfterSeconds: 1 });
      if (waiting.size >= options.maxWaiting) throw tooBusy();
      const answer = Promise.withResolvers<Answer>();
      const deadline = setTimeout(() => {
        waiting.delete(each);
        answer.reject(tooBusy());
      }, options.maxWaitMs);
      const each = { request, answer, deadline };
      waiting.add(each);
      startSoon();
      return answer.promise;
    },
    async close() {
      isClosed = true;
      startBatches();
      while (inFlight.size > 0) {
        await Promise.all(inFlight);
        startBatches();
      }
    },
  };
}

function tooBusy(): Problem {
  return new Problem('too_busy', 'Too many people are here at once. Please try again in a moment.', {
    retryAfterSeconds: 1,
  });
}

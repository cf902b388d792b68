import { Problem } from '../problem.ts';
import type { Database } from './database.ts';

export type BatcherOptions<Request, Answer> = {
  /** Returns an answer or an error for each request. An exception refuses all. */
  readonly runBatch: (requests: readonly Request[]) => Promise<readonly (Answer | Error)[]>;
  readonly maxBatchSize: number;
  /** More than one helps only where another process does the work. */
  readonly maxInFlight: number;
  /** Requests that must wait before a batch starts beside a running one. */
  readonly minBeside?: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
};

/** A batch begins once all readable sockets are read (decision 0005). */
export function openBatcher<Request, Answer>(options: BatcherOptions<Request, Answer>) {
  type Waiting = {
    request: Request;
    answer: PromiseWithResolvers<Answer>;
    deadline: NodeJS.Timeout;
  };
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
    async submit(request: Request): Promise<Answer> {
      if (isClosed)
        throw new Problem('unavailable', 'We are restarting. Please try again.', {
          retryAfterSeconds: 1,
        });
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
    async close(): Promise<void> {
      isClosed = true;
      startBatches();
      while (inFlight.size > 0) {
        await Promise.all(inFlight);
        startBatches();
      }
    },
  };
}

/** The embedded engine has one connection; more on PostgreSQL would only share its processors. */
const LOOK_UPS_IN_FLIGHT = { embedded: 1, postgres: 3 };

/** Look-ups that arrive together share one query. Null for keys that it does not find. */
export function openLookUps<Found>(
  { engine }: Pick<Database, 'engine'>,
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
) {
  return openBatcher<string, Found | null>({
    async runBatch(keys) {
      const found = await read([...new Set(keys)]);
      return keys.map((key) => found.get(key) ?? null);
    },
    maxBatchSize: 256,
    minBeside: 8,
    maxWaiting: 8192,
    maxWaitMs: 5_000,
    maxInFlight: LOOK_UPS_IN_FLIGHT[engine],
  });
}

function tooBusy(): Problem {
  const sentence = 'Too many people are here at once. Please try again in a moment.';
  return new Problem('too_busy', sentence, { retryAfterSeconds: 1 });
}

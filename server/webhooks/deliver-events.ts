/** Delivers events, on one server at a time for each endpoint. */
import type { FastifyBaseLogger } from 'fastify';
import { repeat } from '../db/scheduled-work.ts';
import { writePatiently } from '../db/write-patiently.ts';
import type { Engine, Job } from '../durable-work/work.ts';
import { logFailure } from '../http/request-log.ts';
import { retryDelayMs } from '../retry-delay-rules.ts';
import {
  type Delivery,
  numberOfferEvents,
  queueDeliveries,
  readDue,
  readEvents,
  settleDelivery,
} from './delivery-store.ts';
import { beginServing, type Endpoint, readEndpoint, WEBHOOK } from './endpoint-store.ts';
import { switchOffFailing } from './endpoints.ts';
import { expandEvents } from './expand-events.ts';
import { DOWN_AFTER_FAILURES, GIVE_UP_AFTER_MS, OFF_AFTER_MS, pauseMs } from './retry-rules.ts';
import { type SendOptions, sendEvent } from './send-event.ts';

type DeliverOptions = SendOptions & {
  readonly log: FastifyBaseLogger;
  readonly engine: Engine;
  readonly onAttempt: (kind: string, outcome: 'delivered' | 'later' | 'given_up') => void;
};

/** Joins do not wake the deliverer, so they pay nothing for it. */
const LOOK_EVERY_MS = 1_000;
const MAX_UNDER_WAY = 4;
const MAX_WAITING = 1_000;
const MAX_QUEUED = 64;
const SETTLE_PATIENCE_MS = 10_000;
const GONE = 410;

/** Returns a function that begins no more attempts; the engine waits for those under way. */
export function deliverEvents(options: DeliverOptions): () => Promise<void> {
  const { database, engine, log } = options;
  let tick = Promise.withResolvers<void>();
  const onError = (error: unknown) =>
    logFailure(log, 'error', error, 'a query of the webhooks failed');

  async function look(): Promise<void> {
    if (await beginServing(database)) await engine.goOn();
    tick.resolve();
    tick = Promise.withResolvers();
  }

  async function serve(job: Job<object>): Promise<void> {
    const underWay = new Map<string, Promise<void>>();
    try {
      while (await job.isHeld()) {
        const endpoint = await readEndpoint(database.kysely, job.key);
        if (!endpoint?.is_on) break;
        const isProbe = endpoint.failures >= DOWN_AFTER_FAILURES;
        const limit = (isProbe ? 1 : MAX_UNDER_WAY) - underWay.size;
        if (!endpoint.is_paused && limit > 0) {
          const wanted = { limit, isProbe, underWay: [...underWay.keys()] };
          const due = await readDue(database, job.key, wanted);
          for (const delivery of due) {
            const end = () => underWay.delete(delivery.id);
            const attempt = attemptOn(job, endpoint, delivery).catch(onError);
            underWay.set(delivery.id, attempt.finally(end));
          }
          const mayQueue = endpoint.waiting < (isProbe ? 1 : MAX_WAITING);
          if (mayQueue && due.length < limit && (await queueEvents(endpoint))) continue;
        }
        if (underWay.size === 0) break;
        await Promise.race([...underWay.values(), tick.promise]);
      }
    } finally {
      await Promise.all(underWay.values());
    }
    await job.step(async () => null);
  }

  async function queueEvents(endpoint: Endpoint): Promise<boolean> {
    const { next_sequence: from, next_ordinal } = endpoint;
    const rows = await readEvents(database, from);
    const last = rows.at(-1);
    if (last === undefined) return false;
    const events = rows
      .flatMap((row) => expandEvents(row, options.brand.tiers))
      .filter(({ sequence, ordinal }) => sequence > from || ordinal >= next_ordinal)
      .filter(({ kind }) => (endpoint.events as readonly string[]).includes(kind));
    const to = events[MAX_QUEUED] ?? { sequence: last.sequence + 1, ordinal: 0 };
    await queueDeliveries(database, endpoint, events.slice(0, MAX_QUEUED), to);
    return true;
  }

  async function attemptOn(
    { signal }: Job<object>,
    endpoint: Endpoint,
    delivery: Delivery,
  ): Promise<void> {
    const result = await sendEvent(options, endpoint, delivery);
    const isOver = delivery.age_ms >= GIVE_UP_AFTER_MS;
    const isFailure = result.cause !== null;
    const attempt = {
      ...result,
      retryInMs: isOver ? null : retryDelayMs(delivery.attempts + 1, Math.random()),
      pauseInMs: isFailure ? pauseMs(endpoint.failures + 1, Math.random()) : null,
    };
    const settled = await writePatiently(() => settleDelivery(database, delivery.id, attempt), {
      patienceMs: SETTLE_PATIENCE_MS,
      signal,
    });
    options.onAttempt(delivery.kind, !isFailure ? 'delivered' : isOver ? 'given_up' : 'later');
    if (settled === null || (result.status !== GONE && settled.failing_ms < OFF_AFTER_MS)) return;
    const cause = result.cause ?? '';
    await switchOffFailing(options, endpoint.id, cause);
    log.warn({ cause }, 'a webhook was switched off');
  }

  /** Apart from `look`, because waiting for the line lock must not let claims run out. */
  async function number(): Promise<void> {
    if (await numberOfferEvents(database)) await look();
  }

  engine.addKind<object>({ name: WEBHOOK, acts: true, run: serve });
  const stopLooking = repeat(
    [
      { name: 'looking for events', everyMs: LOOK_EVERY_MS, run: look },
      { name: 'numbering events of offers', everyMs: LOOK_EVERY_MS, run: number },
    ],
    (_, error) => onError(error),
  );
  return async () => {
    await stopLooking();
    tick.resolve();
  };
}

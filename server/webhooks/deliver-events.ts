/** Delivers events: each server works on the endpoints whose lease it has. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { mayAct } from '../db/possible-copy.ts';
import { repeat } from '../db/scheduled-work.ts';
import { writePatiently } from '../db/write-patiently.ts';
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
import { type Endpoint, leaseEndpoints, readEndpoint, releaseEndpoint } from './endpoint-store.ts';
import { switchOffFailing } from './endpoints.ts';
import { expandEvents } from './expand-events.ts';
import { DOWN_AFTER_FAILURES, GIVE_UP_AFTER_MS, OFF_AFTER_MS, pauseMs } from './retry-rules.ts';
import { type SendOptions, sendEvent } from './send-event.ts';

type DeliverOptions = SendOptions & {
  readonly log: FastifyBaseLogger;
  readonly onAttempt: (kind: string, outcome: 'delivered' | 'later' | 'given_up') => void;
};

/** Joins do not wake the deliverer, so they pay nothing for it. */
const LOOK_EVERY_MS = 1_000;
/** An attempt that hangs longer is repeated by the next server, under the same id. */
const STOP_PATIENCE_MS = 5_000;
const MAX_UNDER_WAY = 4;
const MAX_WAITING = 1_000;
const MAX_QUEUED = 64;
const SETTLE_PATIENCE_MS = 10_000;
const GONE = 410;
/** On the embedded engine there is one server, which takes its leases up again at once. */
const ONLY_HOLDER = '00000000-0000-0000-0000-000000000000';

/** Returns a function that begins no more attempts, and waits a while for those under way. */
export function deliverEvents(options: DeliverOptions): () => Promise<void> {
  const { database, log } = options;
  const holder = database.engine === 'embedded' ? ONLY_HOLDER : randomUUID();
  const stopping = new AbortController();
  const working = new Map<string, Promise<void>>();
  let tick = Promise.withResolvers<void>();
  const onError = (error: unknown) =>
    logFailure(log, 'error', error, 'a query of the webhooks failed');

  async function look(): Promise<void> {
    if (!(await mayAct(database))) return;
    for (const endpointId of await leaseEndpoints(database, { holder, busy: [...working.keys()] }))
      if (!working.has(endpointId)) begin(endpointId);
    tick.resolve();
    tick = Promise.withResolvers();
  }

  function begin(endpointId: string): void {
    const work = workOn(endpointId)
      .catch(onError)
      .then(() => releaseEndpoint(database, { holder, endpointId }))
      .catch(onError)
      .finally(() => working.delete(endpointId));
    working.set(endpointId, work);
  }

  async function workOn(endpointId: string): Promise<void> {
    const underWay = new Map<string, Promise<void>>();
    try {
      while (!stopping.signal.aborted) {
        const endpoint = await readEndpoint(database.kysely, endpointId, holder);
        if (endpoint === null) break;
        const isProbe = endpoint.failures >= DOWN_AFTER_FAILURES;
        const limit = (isProbe ? 1 : MAX_UNDER_WAY) - underWay.size;
        if (!endpoint.is_paused && limit > 0) {
          const wanted = { limit, isProbe, underWay: [...underWay.keys()] };
          const due = await readDue(database, endpointId, wanted);
          for (const delivery of due) {
            const end = () => underWay.delete(delivery.id);
            underWay.set(delivery.id, attemptOn(endpoint, delivery).finally(end));
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

  async function attemptOn(endpoint: Endpoint, delivery: Delivery): Promise<void> {
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
      signal: stopping.signal,
    });
    options.onAttempt(delivery.kind, !isFailure ? 'delivered' : isOver ? 'given_up' : 'later');
    if (settled === null || (result.status !== GONE && settled.failing_ms < OFF_AFTER_MS)) return;
    const cause = result.cause ?? '';
    await switchOffFailing(options, endpoint.id, cause);
    log.warn({ cause }, 'a webhook was switched off');
  }

  /** Apart from `look`, because waiting for the line lock must not let leases run out. */
  async function number(): Promise<void> {
    if (await numberOfferEvents(database)) await look();
  }

  const stopLooking = repeat(
    [
      { name: 'looking for events', everyMs: LOOK_EVERY_MS, run: look },
      { name: 'numbering events of offers', everyMs: LOOK_EVERY_MS, run: number },
    ],
    (_, error) => onError(error),
  );
  return async () => {
    stopping.abort();
    await stopLooking();
    tick.resolve();
    await Promise.race([
      Promise.all(working.values()),
      delay(STOP_PATIENCE_MS, null, { ref: false }),
    ]);
  };
}

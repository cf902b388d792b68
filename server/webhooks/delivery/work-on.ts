/** The work on one endpoint: its events in order, a bounded number of attempts at a time. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Delivery,
  type HeldEndpoint,
  readDue,
  readHeld,
  settleDelivered,
  settleFailed,
} from './delivery-store.ts';
import type { PostResult } from './post-event.ts';
import {
  DOWN_AFTER_FAILURES,
  GIVE_UP_AFTER_MS,
  OFF_AFTER_MS,
  pauseMs,
  retryDelayMs,
} from './retry-rules.ts';
import { type SendOptions, sendDelivery } from './send-delivery.ts';
import { takeEvents } from './take-events.ts';

type AttemptOutcome = 'delivered' | 'later' | 'given_up';
type AttemptReport = (kind: string, outcome: AttemptOutcome) => void;

export type WorkOptions = SendOptions & {
  readonly holder: string;
  readonly signal: AbortSignal;
  /** Resolves when it is time to look for due deliveries again. */
  readonly tick: () => Promise<void>;
  readonly onAttempt: AttemptReport;
  /** Switches the endpoint off, which wants no more or has failed for days. */
  readonly switchOff: (endpointId: string, cause: string) => Promise<void>;
};

/** Attempts at a time on one endpoint, whichever server works on it. */
const MAX_UNDER_WAY = 4;
/** Beyond, the others wait as events: only so many deliveries wait for another attempt. */
const MAX_WAITING = 1_000;
const SETTLE_RETRY_MS = 250;
const SETTLE_PATIENCE_MS = 10_000;
const GONE = 410;
const IDLE = { due: [], isMoved: false } as const;

/** Ends when nothing is due, when the endpoint is paused, or when it is no longer this server's. */
export async function workOn(endpointId: string, options: WorkOptions): Promise<void> {
  const { database, holder, signal, tick } = options;
  const underWay = new Map<string, Promise<void>>();
  try {
    while (!signal.aborted) {
      const endpoint = await readHeld(database, { holder, endpointId });
      if (endpoint === null) break;
      const isProbe = endpoint.failures >= DOWN_AFTER_FAILURES;
      const free = (isProbe ? 1 : MAX_UNDER_WAY) - underWay.size;
      const isBusy = endpoint.is_paused || free <= 0;
      const { due, isMoved } = isBusy ? IDLE : await findDue(free, isProbe, endpoint);
      for (const delivery of due) begin(endpoint, delivery);
      if (isMoved) continue;
      if (underWay.size === 0) break;
      await Promise.race([...underWay.values(), tick()]);
    }
  } finally {
    await Promise.all(underWay.values());
  }

  async function findDue(
    limit: number,
    isProbe: boolean,
    endpoint: HeldEndpoint,
  ): Promise<{ due: readonly Delivery[]; isMoved: boolean }> {
    const wanted = { endpointId, limit, isProbe, underWay: [...underWay.keys()] };
    const due = await readDue(database, wanted);
    const mayTake = isProbe ? endpoint.waiting === 0 : endpoint.waiting < MAX_WAITING;
    const isMoved =
      mayTake && due.length < limit && (await takeEvents(database, endpoint, options.brand.tiers));
    return { due, isMoved };
  }

  function begin(endpoint: HeldEndpoint, delivery: Delivery): void {
    const attempt = attemptOn(endpoint, delivery, options).finally(() =>
      underWay.delete(delivery.id),
    );
    underWay.set(delivery.id, attempt);
  }
}

async function attemptOn(
  endpoint: HeldEndpoint,
  delivery: Delivery,
  options: WorkOptions,
): Promise<void> {
  const result = await sendDelivery(options, endpoint, delivery);
  const settle = () =>
    result.cause === null
      ? settleDelivered(options.database, { ...result, id: delivery.id })
      : fail(endpoint, { delivery, result }, options);
  await patiently(settle, options.signal);
  if (result.cause === null) options.onAttempt(delivery.kind, 'delivered');
}

async function fail(
  endpoint: HeldEndpoint,
  { delivery, result }: { delivery: Delivery; result: PostResult },
  { database, onAttempt, switchOff }: WorkOptions,
): Promise<void> {
  const isOver = delivery.age_ms >= GIVE_UP_AFTER_MS;
  const retryInMs = isOver ? null : retryDelayMs(delivery.attempts + 1, Math.random());
  const failed = await settleFailed(database, {
    ...result,
    id: delivery.id,
    retryInMs,
    pauseInMs: pauseMs(endpoint.failures + 1, Math.random()),
  });
  onAttempt(delivery.kind, isOver ? 'given_up' : 'later');
  if (failed === null) return;
  if (result.status === GONE || failed.failing_ms >= OFF_AFTER_MS)
    await switchOff(endpoint.id, result.cause ?? '');
}

/** Unsettled, an event would be sent twice: be patient with a database that is failing over. */
async function patiently(settle: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + SETTLE_PATIENCE_MS;
  for (;;) {
    try {
      return await settle();
    } catch (error) {
      if (signal.aborted || performance.now() > deadline) throw error;
      await delay(SETTLE_RETRY_MS);
    }
  }
}

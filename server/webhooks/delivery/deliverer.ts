/** Delivers events: every server looks for endpoints that no other server works on. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { repeat } from '../../db/scheduled-work.ts';
import {
  claimEndpoints,
  numberOfferEvents,
  releaseAll,
  releaseEndpoint,
  renewHolds,
} from './delivery-store.ts';
import { type WorkOptions, workOn } from './work-on.ts';

export type Deliverer = {
  /** Begins no more attempts, and waits a while for those under way. */
  stop(): Promise<void>;
};

/** How late an event may be. Joins do not wake the deliverer, so they pay nothing for it. */
const LOOK_EVERY_MS = 1_000;
/** A third of the time for which an endpoint is held. */
const RENEW_EVERY_MS = 5_000;
/** What still hangs then is sent again by the next server, under the same id. */
const STOP_PATIENCE_MS = 5_000;

export function startDeliverer(
  options: Omit<WorkOptions, 'holder' | 'signal' | 'tick'> & {
    /** A query failed; it is tried again. */
    readonly onError: (error: unknown) => void;
  },
): Deliverer {
  const { database, onError } = options;
  const holder = randomUUID();
  const stopping = new AbortController();
  const { signal } = stopping;
  const working = new Map<string, Promise<void>>();
  let isFirst = true;
  let tick = Promise.withResolvers<void>();

  async function look(): Promise<void> {
    // On the embedded engine there was one server, and it holds nothing any more.
    if (isFirst && database.engine === 'embedded') await releaseAll(database);
    isFirst = false;
    await numberOfferEvents(database);
    const claimed = await claimEndpoints(database, { holder, busy: [...working.keys()] });
    for (const endpointId of claimed) begin(endpointId);
    tick.resolve();
    tick = Promise.withResolvers();
  }

  function begin(endpointId: string): void {
    const work = workOn(endpointId, { ...options, holder, signal, tick: () => tick.promise })
      .catch(onError)
      .then(() => releaseEndpoint(database, { holder, endpointId }))
      .catch(onError)
      .finally(() => working.delete(endpointId));
    working.set(endpointId, work);
  }

  async function renew(): Promise<void> {
    if (working.size > 0) await renewHolds(database, { holder, busy: [...working.keys()] });
  }

  const stops = [
    repeat({ name: 'looking for events', everyMs: LOOK_EVERY_MS, run: look }, (_, e) => onError(e)),
    repeat({ name: 'holding endpoints', everyMs: RENEW_EVERY_MS, run: renew }, (_, e) =>
      onError(e),
    ),
  ];
  return {
    async stop() {
      stopping.abort();
      const [stopLooking, stopRenewing] = stops;
      await stopLooking?.();
      tick.resolve();
      await Promise.race([
        Promise.all(working.values()),
        delay(STOP_PATIENCE_MS, null, { ref: false }),
      ]);
      await stopRenewing?.();
    },
  };
}

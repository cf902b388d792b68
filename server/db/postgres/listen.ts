import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Listener } from '../database.ts';

const RETRY_MS = 1_000;
const CONNECTION_TIMEOUT_MS = 5_000;
/** Only a query shows that the other end is gone. */
const PROBE_EVERY_MS = 15_000;
const ANSWER_TIMEOUT_MS = 5_000;

/** Opened again whenever it breaks. PgBouncer in transaction mode delivers no messages. */
export async function listenOn(
  databaseUrl: string,
  channel: string,
  { onMessage, onReady }: Listener,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const tried = Promise.withResolvers<void>();

  async function listenOnce(): Promise<void> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
    });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload = '' }) => onMessage(payload));
    const either = AbortSignal.any([signal, lost.signal]);
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      onReady();
      tried.resolve();
      while (!either.aborted) {
        await pause(PROBE_EVERY_MS, null, { signal: either, ref: false }).catch(() => {});
        if (!either.aborted) await client.query('select 1');
      }
    } finally {
      await client.end().catch(() => {});
    }
  }

  const work = (async () => {
    while (!signal.aborted) {
      await listenOnce().catch(() => tried.resolve());
      await pause(RETRY_MS, null, { signal, ref: false }).catch(() => {});
    }
  })();
  await tried.promise;
  return async () => {
    stopping.abort();
    await work;
  };
}

/**
 * Writes the traces of joins in batches, after the joins. Reads all traces at the start, and those
 * of other servers every few seconds. No join waits; a killed server loses its last second.
 */
import { randomInt } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import type { Trace } from '../assessor.ts';
import {
  firstIdAt,
  insertTraces,
  type KnownTrace,
  oldestTraceId,
  readTraces,
  readTrusted,
  type TraceRow,
} from './trace-store.ts';
import { type MetNetwork, renewTrust } from './trust-store.ts';

const WRITE_EVERY_MS = 1_000;
const READ_EVERY_MS = 2_000;
/** This much is read again: clocks differ, and traces are written after their joins. */
const OVERLAP_MS = 6_000;
const MAX_ROWS = 2_000;
/** More traces are dropped: the database has been away for long. */
const MAX_WAITING = 50_000;

export type Traces = {
  add(memberId: string, keyId: number, trace: Trace): void;
  /** Replaces the trace of the join by that of a later request. */
  replace(memberId: string, keyId: number, trace: Trace): void;
  /** Trusts a trusted network under its new hash, too. */
  renewTrust(network: MetNetwork): void;
  /** Whether all traces of before the start have been read. */
  isRead(): boolean;
  flush(): Promise<void>;
  /** Writes what is waiting, and stops. */
  close(): Promise<void>;
};

type TracesOptions = {
  readonly database: Database;
  /** Called for each trace of another process, the oldest first. */
  readonly onTrace: (trace: KnownTrace) => void;
  readonly onTrusted: (networks: readonly number[]) => void;
  /** Called once per outage of the database. */
  readonly onFailure: (error: unknown) => void;
};

export function openTraces({ database, onTrace, onTrusted, onFailure }: TracesOptions): Traces {
  const server = randomInt(2 ** 31);
  const isShared = database.engine === 'postgres';
  let waiting: TraceRow[] = [];
  let metTrusted: MetNetwork[] = [];
  let isFailing = false;
  let isClosed = false;
  let isRead = false;
  let readAfter = oldestTraceId(Date.now());
  let underWay: Promise<void> = Promise.resolve();
  /** Recently read members, and the generation before: the overlap reads them again. */
  let learned = [new Set<string>(), new Set<string>()] as const;

  function learn(trace: KnownTrace): void {
    if (learned.some((ids) => ids.has(trace.memberId))) return;
    learned[0].add(trace.memberId);
    if (learned[0].size > 4 * MAX_ROWS) learned = [new Set(), learned[0]];
    onTrace(trace);
  }

  /** Runs one after the other, and reports a failure once. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    underWay = underWay.then(async () => {
      try {
        await work();
        isFailing = false;
      } catch (error) {
        if (!isFailing && !isClosed) onFailure(error);
        isFailing = true;
      }
    });
    return underWay;
  }

  async function write(): Promise<void> {
    while (metTrusted[0] !== undefined) {
      await renewTrust(database, metTrusted[0]);
      metTrusted = metTrusted.slice(1);
    }
    while (waiting.length > 0) {
      const rows = waiting.slice(0, MAX_ROWS);
      await insertTraces(database, rows);
      waiting = waiting.slice(rows.length);
    }
  }

  /** Continues after an outage where it stopped. */
  async function refresh(): Promise<void> {
    onTrusted(await readTrusted(database));
    if (isRead && !isShared) return;
    const beganAt = Date.now();
    for (;;) {
      const traces = await readTraces(database, {
        after: readAfter,
        limit: MAX_ROWS,
        notOf: server,
      });
      for (const trace of traces) learn(trace);
      const last = traces.at(-1);
      if (isClosed) return;
      if (last === undefined || traces.length < MAX_ROWS) break;
      readAfter = last.memberId;
      await letOthersIn();
    }
    readAfter = firstIdAt(beganAt - OVERLAP_MS);
    isRead = true;
  }

  void inTurn(refresh);
  const writing = setInterval(() => {
    if (waiting.length + metTrusted.length > 0) void inTurn(write);
  }, WRITE_EVERY_MS).unref();
  const reading = setInterval(() => void inTurn(refresh), READ_EVERY_MS).unref();

  return {
    add(memberId, keyId, { narrow, wide, hints, flags }) {
      if (waiting.length < MAX_WAITING)
        waiting.push({ member_id: memberId, key_id: keyId, server, narrow, wide, hints, flags });
    },
    replace(memberId, ...trace) {
      waiting = waiting.filter((row) => row.member_id !== memberId);
      this.add(memberId, ...trace);
    },
    renewTrust(network) {
      if (metTrusted.length < MAX_WAITING) metTrusted.push(network);
    },
    isRead: () => isRead,
    flush: () => inTurn(write),
    async close() {
      isClosed = true;
      clearInterval(writing);
      clearInterval(reading);
      await inTurn(write);
    },
  };
}

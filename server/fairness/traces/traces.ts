/**
 * Writes the traces of joins after them, in batches. Reads those of all servers at the start, and
 * those of the others every few seconds. No join waits for it; a killed server loses the traces of
 * its last second.
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
/** Read again: clocks differ, and traces are written after their joins. */
const OVERLAP_MS = 6_000;
const MAX_ROWS = 2_000;
/** More are lost: the database has been away for long. */
const MAX_WAITING = 50_000;

export type Traces = {
  add(memberId: string, keyId: number, trace: Trace): void;
  /** What is kept of a join is of a later request of its member. */
  replace(memberId: string, keyId: number, trace: Trace): void;
  /** A trusted network has a new hash: it is trusted under this, too. */
  renewTrust(network: MetNetwork): void;
  /** Whether all that was kept at the start has been read. */
  isRead(): boolean;
  /** Writes what is waiting. */
  flush(): Promise<void>;
  /** Writes what is waiting, and stops. */
  close(): Promise<void>;
};

type TracesOptions = {
  readonly database: Database;
  /** Called for each trace that this process has not written, the oldest first. */
  readonly onTrace: (trace: KnownTrace) => void;
  readonly onTrusted: (networks: readonly number[]) => void;
  /** Called once per outage of the database. */
  readonly onFailure: (error: unknown) => void;
};

/** Begins to read what is kept, in the background. */
export function openTraces({ database, onTrace, onTrusted, onFailure }: TracesOptions): Traces {
  const server = randomInt(2 ** 31);
  const isShared = database.engine === 'postgres';
  let waiting: TraceRow[] = [];
  let metTrusted: MetNetwork[] = [];
  let isFailing = false;
  let isClosed = false;
  let isRead = false;
  /** The traces of later members are read next. */
  let readAfter = oldestTraceId(Date.now());
  let underWay: Promise<void> = Promise.resolve();
  /** The last that were learned, and those before: the overlap brings them again. */
  let learned = [new Set<string>(), new Set<string>()] as const;

  function learn(trace: KnownTrace): void {
    if (learned.some((ids) => ids.has(trace.memberId))) return;
    learned[0].add(trace.memberId);
    if (learned[0].size > 4 * MAX_ROWS) learned = [new Set(), learned[0]];
    onTrace(trace);
  }

  /** One after the other; a failure is told once. */
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

  /** Goes on after an outage where it was. */
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

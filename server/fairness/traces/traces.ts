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
import { renewTrust, type SeenNetwork } from './trust-store.ts';

const WRITE_EVERY_MS = 1_000;
const READ_EVERY_MS = 2_000;
/** This much is read again: clocks differ, and traces are written after their joins. */
const OVERLAP_MS = 6_000;
const MAX_ROWS = 2_000;
/** More traces are dropped: the database has been away for long. */
const MAX_WAITING = 50_000;

type TracesOptions = {
  readonly database: Database;
  /** Called for each trace of another process, the oldest first. */
  readonly onTrace: (trace: KnownTrace) => void;
  readonly onTrusted: (networks: readonly number[]) => void;
  readonly onFailure: (error: unknown) => void;
};

export function openTraces({ database, onTrace, onTrusted, onFailure }: TracesOptions) {
  const server = randomInt(2 ** 31);
  const isShared = database.engine === 'postgres';
  let waiting: TraceRow[] = [];
  let seenTrusted: SeenNetwork[] = [];
  let isFailing = false;
  let isClosed = false;
  let isRead = false;
  let readAfter = oldestTraceId(Date.now());
  let underWay: Promise<void> = Promise.resolve();
  /** Recently read members, and the generation before: the overlap reads them again. */
  let recent = [new Set<string>(), new Set<string>()] as const;

  function report(trace: KnownTrace): void {
    if (recent.some((ids) => ids.has(trace.memberId))) return;
    recent[0].add(trace.memberId);
    if (recent[0].size > 4 * MAX_ROWS) recent = [new Set(), recent[0]];
    onTrace(trace);
  }

  function inOrder(work: () => Promise<void>): Promise<void> {
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
    while (seenTrusted[0] !== undefined) {
      await renewTrust(database, seenTrusted[0]);
      seenTrusted = seenTrusted.slice(1);
    }
    while (waiting.length > 0) {
      const rows = waiting.slice(0, MAX_ROWS);
      await insertTraces(database, rows);
      waiting = waiting.slice(rows.length);
    }
  }

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
      for (const trace of traces) report(trace);
      const last = traces.at(-1);
      if (isClosed) return;
      if (last === undefined || traces.length < MAX_ROWS) break;
      readAfter = last.memberId;
      await letOthersIn();
    }
    readAfter = firstIdAt(beganAt - OVERLAP_MS);
    isRead = true;
  }

  void inOrder(refresh);
  const writing = setInterval(() => {
    if (waiting.length + seenTrusted.length > 0) void inOrder(write);
  }, WRITE_EVERY_MS).unref();
  const reading = setInterval(() => void inOrder(refresh), READ_EVERY_MS).unref();

  return {
    add(memberId: string, keyId: number, { narrow, wide, hints, flags }: Trace): void {
      if (waiting.length < MAX_WAITING)
        waiting.push({ member_id: memberId, key_id: keyId, server, narrow, wide, hints, flags });
    },
    /** Replaces the trace of the join by that of a later request. */
    replace(memberId: string, keyId: number, trace: Trace): void {
      waiting = waiting.filter((row) => row.member_id !== memberId);
      this.add(memberId, keyId, trace);
    },
    renewTrust(network: SeenNetwork): void {
      if (seenTrusted.length < MAX_WAITING) seenTrusted.push(network);
    },
    flush: () => inOrder(write),
    async close() {
      isClosed = true;
      clearInterval(writing);
      clearInterval(reading);
      await inOrder(write);
    },
  };
}

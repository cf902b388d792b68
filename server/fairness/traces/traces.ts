import { randomInt } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import {
  firstIdAt,
  type KnownTrace,
  oldestTraceId,
  readTraces,
  readTrusted,
} from './trace-store.ts';
import { renewTrust, type SeenNetwork } from './trust-store.ts';

const READ_EVERY_MS = 2_000;
/** This much is read again: clocks differ, and a join has its id before it is written. */
const OVERLAP_MS = 6_000;
const MAX_ROWS = 2_000;

type TracesOptions = {
  readonly database: Database;
  readonly onTrace: (trace: KnownTrace) => void;
  readonly onTrusted: (networks: readonly number[]) => void;
  readonly onFailure: (error: unknown) => void;
};

export function openTraces({ database, onTrace, onTrusted, onFailure }: TracesOptions) {
  const server = randomInt(2 ** 31);
  const isShared = database.engine === 'postgres';
  let isFailing = false;
  let isClosed = false;
  let isRead = false;
  let readAfter = oldestTraceId(Date.now());
  let underWay: Promise<void> = Promise.resolve();
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
  const reading = setInterval(() => void inOrder(refresh), READ_EVERY_MS).unref();

  return {
    server,
    renewTrust: (network: SeenNetwork) => void inOrder(() => renewTrust(database, network)),
    flush: () => inOrder(async () => {}),
    async close() {
      isClosed = true;
      clearInterval(reading);
      await underWay;
    },
  };
}

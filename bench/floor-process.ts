/** Starts the floors as a process of their own, as the product is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/support/server-process.ts';
import type { Measured } from './load/measure.ts';
import type { ProcessorWatch } from './load/processor-time.ts';
import { percentile } from './statistics.ts';

export type Place = { readonly dataDir: string; readonly databaseUrl: string | null };

export type FloorProcess = {
  readonly port: number;
  readonly pid: number;
  readonly ids: readonly string[];
  /** Durable INSERTs of so many rows each, without HTTP; an operation is a row, latencies are those of an INSERT. */
  insertMany(rows: number, seconds: number, watch: ProcessorWatch): Promise<Measured>;
  stop(): Promise<void>;
};

const PROGRAM = fileURLToPath(new URL('floor-server.ts', import.meta.url));

/** With a table of `rows` rows, and answers of `bytes` bytes. */
export async function startFloor(
  place: Place,
  { rows, bytes }: { rows: number; bytes: number },
): Promise<FloorProcess> {
  const port = await freePort();
  mkdirSync(place.dataDir, { recursive: true });
  const child = spawn(process.execPath, [PROGRAM], {
    env: {
      ...process.env,
      FLOOR_PORT: String(port),
      FLOOR_ROWS: String(rows),
      FLOOR_BYTES: String(bytes),
      FLOOR_DATA_DIR: place.dataDir,
      FLOOR_DATABASE_URL: place.databaseUrl ?? '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const ended = exited.then(() => Promise.reject(new Error('The floor server ended before it was open.')));
  await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => {});
  const ask = async <T>(path: string) => (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as T;
  return {
    port,
    pid: child.pid ?? 0,
    ids: await ask<string[]>('/ids'),
    async insertMany(rows, seconds, watch) {
      const before = watch.read();
      const latenciesMs = await ask<number[]>(`/insert-many?rows=${rows}&seconds=${seconds}`);
      const after = watch.read();
      latenciesMs.sort((a, b) => a - b);
      const inserted = latenciesMs.length * rows;
      const perRow = (from: number | null, to: number | null) =>
        from === null || to === null ? null : ((to - from) * 1000) / inserted;
      return {
        perSecond: inserted / seconds,
        p50Ms: percentile(latenciesMs, 0.5),
        p99Ms: percentile(latenciesMs, 0.99),
        serverUs: perRow(before.serverMs, after.serverMs),
        databaseUs: perRow(before.databaseMs, after.databaseMs),
        clientUs: 0,
      };
    },
    async stop() {
      child.kill();
      await exited;
    },
  };
}

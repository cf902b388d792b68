/** Starts the baselines as a process of their own, as the product is. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/server-process.ts';
import type { Place } from '../checkout.ts';
import type { Target } from '../load/closed-loop.ts';

export type BaselineOptions = Place & {
  readonly port: number;
  /** In its table. */
  readonly rows: number;
  /** Of the constant answer. */
  readonly bytes: number;
};

export type Baseline = Target & { stop(): Promise<void> };

const PROGRAM = fileURLToPath(new URL('baseline-server.ts', import.meta.url));

export async function startBaseline(
  place: Place,
  size: { readonly rows: number; readonly bytes: number },
): Promise<Baseline> {
  const port = await freePort();
  mkdirSync(place.dataDir, { recursive: true });
  const options: BaselineOptions = { ...place, ...size, port };
  const child = fork(PROGRAM, [JSON.stringify(options)]);
  const exited = once(child, 'exit');
  const ended = exited.then(() => Promise.reject(new Error('The baseline ended at its start.')));
  await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => {});
  const sampleFile = join(place.dataDir, 'sample.json');
  writeFileSync(sampleFile, await (await fetch(`http://127.0.0.1:${port}/sample`)).text());
  return {
    port,
    pid: child.pid ?? 0,
    databaseUrl: place.databaseUrl,
    sampleFile,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

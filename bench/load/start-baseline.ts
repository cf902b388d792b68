import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/server-process.ts';
import type { Place } from '../checkout.ts';
import type { Sample } from '../members/read-sample.ts';
import type { Target } from './closed-loop.ts';

type Size = { readonly rows: number; readonly bytes: number };
export type BaselineOptions = Place & Size & { readonly port: number };

const PROGRAM = fileURLToPath(new URL('baseline-server.ts', import.meta.url));

export async function startBaseline(
  place: Place,
  size: Size,
): Promise<Target & { stop(): Promise<void> }> {
  const port = await freePort();
  const options: BaselineOptions = { ...place, ...size, port };
  const child = fork(PROGRAM, [JSON.stringify(options)]);
  const exited = once(child, 'exit');
  const ended = exited.then(() => Promise.reject(new Error('The baseline ended at its start.')));
  ended.catch(() => {});
  const [sample] = (await Promise.race([once(child, 'message'), ended])) as [Sample];
  const sampleFile = join(place.dataDir, 'sample.json');
  writeFileSync(sampleFile, JSON.stringify(sample));
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

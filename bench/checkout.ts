/**
 * A checkout of the product: this one, or another commit measured beside it. Each fills and serves
 * its own databases, and is driven by its programs and HTTP alone, because its schema may differ.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../test/support/server-process.ts';
import type { Sample } from './members/read-sample.ts';

export type Checkout = {
  readonly name: string;
  readonly root: string;
};

export type Place = { readonly dataDir: string; readonly databaseUrl: string | null };

export type Product = {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly databaseUrl: string | null;
  stop(): Promise<void>;
};

type Settings = Readonly<Record<string, string>>;

const run = promisify(execFile);
const START_POLL_MS = 5;

export const thisCheckout: Checkout = {
  name: 'this',
  root: fileURLToPath(new URL('..', import.meta.url)),
};

export function otherCheckout(root: string): Checkout {
  const words = ['-C', root, 'rev-parse', '--short', 'HEAD'];
  return { name: execFileSync('git', words, { encoding: 'utf8' }).trim(), root };
}

export function build({ root }: Checkout): void {
  execFileSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root });
}

export async function fill({ root }: Checkout, place: Place, members: number): Promise<void> {
  const { dataDir, databaseUrl } = place;
  const url = databaseUrl === null ? [] : ['--database-url', databaseUrl];
  const words = ['--members', String(members), '--data-dir', dataDir, ...url];
  await run(process.execPath, [join(root, 'bench/generate.ts'), ...words]);
}

export async function writeSample({ root }: Checkout, place: Place): Promise<string> {
  const module = JSON.stringify(join(root, 'bench/members/read-sample.ts'));
  const script = `import { writeSample } from ${module};
    console.log(await writeSample(${JSON.stringify(place)}));
    process.exit(0);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  return stdout.trim();
}

export function readSample(path: string): Sample {
  return JSON.parse(readFileSync(path, 'utf8'));
}

export async function verify({ root }: Checkout, place: Place): Promise<void> {
  const env = settingsOf(place, await freePort());
  await run(process.execPath, [join(root, 'scripts/waitlist.ts'), 'verify'], { env });
}

/**
 * Starts the server as it is with nothing but a database: limits on, mail queued and stored as
 * files. Rejects with its output when it ends instead of opening.
 */
export async function startProduct(
  { root }: Checkout,
  place: Place,
  settings: Settings = {},
): Promise<Product> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'server/main.ts')], {
    env: { ...settingsOf(place, port), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  // A bench that fails must not leave a server behind, which would slow down the next figures.
  const kill = () => child.kill();
  process.once('exit', kill);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/healthz`).catch(() => null))?.ok) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The server ended instead of opening: ${printed}`);
    await pause(START_POLL_MS);
  }
  return {
    url,
    port,
    pid: child.pid ?? 0,
    databaseUrl: place.databaseUrl,
    async stop() {
      process.off('exit', kill);
      child.kill();
      await exited;
    },
  };
}

function settingsOf({ dataDir, databaseUrl }: Place, port: number): NodeJS.ProcessEnv {
  const { DATABASE_URL: _own, ...inherited } = process.env;
  return {
    ...inherited,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
  };
}

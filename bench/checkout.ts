/**
 * A checkout of the product: this one, or another commit measured beside it. Each fills and serves
 * its own databases, and is driven by its programs and HTTP alone: its schema may differ.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../test/support/server-process.ts';

export type Checkout = {
  /** For people: `this`, or the commit. */
  readonly name: string;
  readonly root: string;
};

export type Place = { readonly dataDir: string; readonly databaseUrl: string | null };
export type Filled = Place & { readonly members: number; readonly fillSeconds: number };

export type Product = {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly databaseUrl: string | null;
  /** Whether the server has ended by itself, for want of memory for example. */
  hasEnded(): boolean;
  stop(): Promise<void>;
};

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

/** The site and the mails, without which no server starts. */
export function build({ root }: Checkout): void {
  execFileSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root });
}

/** Made-up members in a new database, by the checkout's own bench/generate.ts. */
export async function fill(checkout: Checkout, place: Place, members: number): Promise<Filled> {
  const { dataDir, databaseUrl } = place;
  const program = join(checkout.root, 'bench/generate.ts');
  const url = databaseUrl === null ? [] : ['--database-url', databaseUrl];
  const words = [program, '--members', String(members), '--data-dir', dataDir, ...url];
  const { stdout } = await run(process.execPath, words);
  return { ...place, members, fillSeconds: (JSON.parse(stdout) as { seconds: number }).seconds };
}

/** The file of a sample of a database that no server has open, by the checkout's own code. */
export async function writeSample({ root }: Checkout, place: Place): Promise<string> {
  const module = JSON.stringify(join(root, 'bench/members/read-sample.ts'));
  const script = `import { writeSample } from ${module};
    console.log(await writeSample(${JSON.stringify(place)}));
    process.exit(0);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  return stdout.trim();
}

/** Recomputes the line of a database that no server has open; rejects on any difference. */
export async function verify({ root }: Checkout, place: Place): Promise<void> {
  const env = settingsOf(place, await freePort());
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, ...words] = String(scripts.verify).split(' ');
  await run(process.execPath, words, { cwd: root, env });
}

/** Each word before `--` is a cgroup.procs file to enter before the command becomes the server. */
const ENTER = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"';

/**
 * Starts the server as it is with nothing but a database: limits on, mail queued and kept as files.
 * Rejects with what it printed when it ends instead of opening.
 */
export async function startProduct(
  { root }: Checkout,
  place: Place,
  settings: Readonly<Record<string, string>> = {},
  cgroups: readonly string[] = [],
): Promise<Product> {
  const port = await freePort();
  const enter = cgroups.length === 0 ? [] : ['sh', '-c', ENTER, 'sh', ...cgroups, '--'];
  const words = [...enter, process.execPath, join(root, 'server/main.ts')];
  const child = spawn(words[0] ?? '', words.slice(1), {
    env: { ...settingsOf(place, port), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  // A bench that fails must not leave a server behind, which the next figures would suffer from.
  const kill = () => child.kill();
  process.once('exit', kill);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/healthz`).catch(() => null))?.ok) {
    if (hasEnded()) throw new Error(`The server ended instead of opening: ${printed}`);
    await pause(START_POLL_MS);
  }
  return {
    url,
    port,
    pid: child.pid ?? 0,
    databaseUrl: place.databaseUrl,
    hasEnded,
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

/** Another commit may have another schema, so its own programs fill it, and serve it. */
import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ServerProcess, startServer } from '../test/support/server-process.ts';
import { readSample, type Sample } from './members/read-sample.ts';
import type { Place } from './places.ts';

export type Checkout = {
  readonly name: string;
  readonly root: string;
};

export type Product = ServerProcess & {
  readonly by: string;
  readonly databaseUrl: string | null;
  readonly sample: Sample;
};

type Settings = Readonly<Record<string, string>>;

const run = promisify(execFile);

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

export async function verify({ root }: Checkout, place: Place): Promise<void> {
  const env = { ...process.env, ...settingsOf(place) };
  await run(process.execPath, [join(root, 'scripts/waitlist.ts'), 'verify'], { env });
}

/** Starts the server as it is with nothing but a database: limits on, mail stored as files. */
export function startProduct(
  { root }: Checkout,
  place: Place,
  settings: Settings = {},
): Promise<ServerProcess> {
  const own = { ...settingsOf(place), ...settings };
  return startServer(own, join(root, 'server/main.ts'), undefined, []);
}

/** Fills a database, and starts the server on it. */
export async function openProduct(
  checkout: Checkout,
  place: Place,
  { members, settings }: { readonly members: number; readonly settings?: Settings },
): Promise<Product> {
  await fill(checkout, place, members);
  const sample = await readSample(place);
  const server = await startProduct(checkout, place, settings);
  return { ...server, databaseUrl: place.databaseUrl, sample, by: checkout.name };
}

/** What a server is told of its database. */
export function settingsOf({ dataDir, databaseUrl }: Place): Settings {
  return { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '', LOG_LEVEL: 'error' };
}

/** Another commit may have another schema, so programs and HTTP alone drive a checkout. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ServerProcess, startServer } from '../test/support/server-process.ts';
import type { Sample } from './members/read-sample.ts';

export type Checkout = {
  readonly name: string;
  readonly root: string;
};

export type Place = { readonly dataDir: string; readonly databaseUrl: string | null };

export type Product = Pick<ServerProcess, 'url' | 'pid' | 'stop'> & {
  readonly port: number;
  readonly databaseUrl: string | null;
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

async function writeSample({ root }: Checkout, place: Place): Promise<string> {
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
  const env = { ...process.env, ...settingsOf(place) };
  await run(process.execPath, [join(root, 'scripts/waitlist.ts'), 'verify'], { env });
}

/** Starts the server as it is with nothing but a database: limits on, mail stored as files. */
export async function startProduct(
  { root }: Checkout,
  place: Place,
  settings: Settings = {},
): Promise<Product> {
  const own = { ...settingsOf(place), ...settings };
  const server = await startServer(own, join(root, 'server/main.ts'), undefined, []);
  const { databaseUrl } = place;
  return { ...server, databaseUrl, port: Number(new URL(server.url).port) };
}

export type FilledProduct = Product & { readonly sampleFile: string; readonly by: string };

export async function openProduct(
  checkout: Checkout,
  place: Place,
  { members, settings }: { readonly members: number; readonly settings?: Settings },
): Promise<FilledProduct> {
  await fill(checkout, place, members);
  const sampleFile = await writeSample(checkout, place);
  const product = await startProduct(checkout, place, settings);
  return { ...product, sampleFile, by: checkout.name };
}

function settingsOf({ dataDir, databaseUrl }: Place): Settings {
  return { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '', LOG_LEVEL: 'error' };
}

import { accessSync, constants } from 'node:fs';
import { appendFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { build, type InlineConfig, type Rolldown } from 'vite';
import { makeFolder } from '../server/make-folder.ts';
import { reasonOf, StartupError } from '../server/startup-error.ts';
import { checkBrandFolder } from './build/check-folder.ts';
import { buildConsole } from './build/console.ts';
import { writeGallery } from './build/gallery.ts';
import { buildMails } from './build/mails.ts';
import { prerender } from './build/prerender.ts';
import { hashInputs, readStamp, writeStamp } from './build/stamp.ts';
import {
  type BuildSource,
  type BuildTarget,
  CACHE,
  clientConfig,
  drawScriptConfig,
  prerenderConfig,
  ROOT,
  starterConfig,
} from './build/vite-config.ts';

export const DIST = join(ROOT, 'dist');

const DEV_DIST = join(CACHE, 'dev-site');

const BRAND = join(ROOT, 'brand');

const COMPRESSIBLE = /\.(js|css|svg|json|webmanifest|txt|ico|map)$/;

/** Reloads the page after a new build. Reading a static file needs no exception of the CSP. */
const RELOAD_SCRIPT = `\
const read = async () => (await fetch('/assets/build-id.txt', { cache: 'no-store' })).text();
const first = await read();
setInterval(async () => {
  const now = await read().catch(() => first);
  if (now !== first && /^\\d+$/.test(now)) location.reload();
}, 1000);
`;

const RELOADING = '<script type="module" src="/assets/reload.js"></script>';

/** A failed build changes nothing. Throws a StartupError on brand faults or a read-only folder. */
export async function buildSite({
  outDir,
  brandDir = BRAND,
  mode = 'production',
}: Partial<BuildSource> & Pick<BuildTarget, 'outDir'>): Promise<'built' | 'fresh'> {
  await checkBrandFolder(brandDir);
  const source: BuildSource = { brandDir, mode };
  const hash = await hashInputs(source);
  if ((await readStamp(outDir)) === hash) return 'fresh';
  for (const folder of [outDir, CACHE]) assertWritable(folder);
  // Vite prefers NODE_ENV to `mode`, and a test runner may have set it.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = mode;
  const serverDir = join(CACHE, `prerender-${process.pid}`);
  const nextDir = join(outDir, `.next-${process.pid}`);
  const siteDir = join(nextDir, 'site');
  try {
    await build(clientConfig({ outDir: siteDir, ...source }));
    const drawScript = await buildScript(drawScriptConfig({ outDir: siteDir, ...source }));
    await build(prerenderConfig({ outDir: serverDir, ...source }));
    await prerender({
      siteDir,
      serverDir,
      drawScript: drawScript.fileName,
      starter: (await buildScript(starterConfig(source))).code.trim(),
      pagesDir: join(nextDir, 'pages'),
    });
    await buildMails({ brandDir, outDir: join(nextDir, 'mails') });
    await rename(join(siteDir, '.vite'), join(nextDir, 'manifest'));
    await buildConsole({ ...source, outDir: nextDir });
    if (mode === 'development') await addReloadScript(nextDir);
    await compressFolder(siteDir);
    await compressFolder(join(nextDir, 'console'));
    if (mode === 'development') await writeGallery({ siteDir, serverDir });
    await replaceParts(nextDir, outDir);
    await writeStamp(outDir, hash);
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
    await rm(serverDir, { recursive: true, force: true });
    await rm(nextDir, { recursive: true, force: true });
  }
  return 'built';
}

function assertWritable(folder: string): void {
  try {
    makeFolder(folder, 0o755);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new StartupError(
      `The site has to be built, and ${folder} cannot be written: ${reasonOf(error)}.`,
      { cause: error },
    );
  }
}

async function buildScript(config: InlineConfig) {
  const { output } = (await build(config)) as Rolldown.RolldownOutput;
  return output[0];
}

async function replaceParts(nextDir: string, outDir: string): Promise<void> {
  for (const part of await readdir(nextDir)) {
    await rm(join(outDir, part), { recursive: true, force: true });
    await rename(join(nextDir, part), join(outDir, part));
  }
}

async function compressFolder(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  for (const name of names.filter((file) => COMPRESSIBLE.test(file))) {
    const path = join(folder, name);
    const bytes = await readFile(path);
    const params = { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY };
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: zlib.Z_BEST_COMPRESSION }));
  }
}

async function addReloadScript(dir: string): Promise<void> {
  await writeFile(join(dir, 'site/assets/build-id.txt'), String(Date.now()));
  await writeFile(join(dir, 'site/assets/reload.js'), RELOAD_SCRIPT);
  for (const page of await readdir(join(dir, 'pages')))
    await appendFile(join(dir, 'pages', page), RELOADING);
}

if (import.meta.main) {
  const startedAt = Date.now();
  const mode = process.argv.includes('--development') ? 'development' : 'production';
  try {
    const outDir = mode === 'development' ? DEV_DIST : DIST;
    const outcome = await buildSite({ outDir, mode });
    if (outcome === 'built')
      console.log(`Built the site in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
  } catch (error) {
    console.error(error instanceof StartupError ? error.message : error);
    process.exitCode = 1;
  }
}

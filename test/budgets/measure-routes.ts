/** Measures the routes of the built site in the units of the budgets. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Manifest } from 'vite';
import { ghostSvg } from '../../brand/art/ghost.ts';
import {
  CONSOLE_ENTRY,
  collectScripts,
  ENTRY,
  pageSource,
  styleSheet,
} from '../../scripts/build/read-manifest.ts';

export type RouteName = 'landing' | 'invite' | 'status';

/** In bytes. */
export type RouteWeight = {
  /** Scripts of hydration, gzip. */
  readonly hydrationScript: number;
  /** These and every chunk that the route can load later, gzip. */
  readonly allScript: number;
  /** The page with inlined styles and art, brotli. */
  readonly html: number;
  readonly fonts: number;
  /** HTML and scripts as brotli, fonts, and the poster of the status page. */
  readonly firstView: number;
};

const SOLVER = 'web/proof/solve-challenge.ts';
const QR_ENCODER = 'node_modules/uqr/dist/index.mjs';

/** Pages: another page's chunk counts there. Solver and QR encoder have budgets of their own. */
const COUNTED_ELSEWHERE =
  /^web\/pages\/[a-z-]+\/[a-z-]+-page\.tsx$|^web\/proof\/|^node_modules\/uqr\//;

/** Chunks that few visitors load: the proof-of-work solver, and the QR encoder of a pass, gzip. */
export async function measureRare(distDir: string) {
  const manifest = await readManifest(distDir);
  const weigh = async (source: string) => {
    const chunk = manifest[source]?.file;
    if (chunk === undefined) throw new Error(`The site has no chunk of ${source}.`);
    return { chunk, bytes: await sumGzip(join(distDir, 'site'), [chunk]) };
  };
  return { solver: await weigh(SOLVER), qr: await weigh(QR_ENCODER) };
}

/** Script and styles with which the console starts, gzip, and its fonts. Screens load later. */
export async function measureConsole(distDir: string): Promise<number> {
  const path = join(distDir, 'manifest/console.json');
  const manifest: Manifest = JSON.parse(await readFile(path, 'utf8'));
  const folder = join(distDir, 'console');
  const files = [...collectScripts(manifest, [CONSOLE_ENTRY]), styleSheet(manifest)];
  return (await sumGzip(folder, files)) + (await sumSizes(folder, await listFonts(folder)));
}

/** The scripts that hydrate a route. */
export async function listHydrationScripts(distDir: string, route: RouteName): Promise<string[]> {
  return await listScripts(distDir, [ENTRY, pageSource(route)]);
}

/** The chunks of these sources, and those that they import at once. */
export async function listScripts(distDir: string, sources: string[]): Promise<string[]> {
  return [...collectScripts(await readManifest(distDir), sources)];
}

export async function measureRoute(distDir: string, route: RouteName): Promise<RouteWeight> {
  const manifest = await readManifest(distDir);
  const siteDir = join(distDir, 'site');
  const atHydration = [ENTRY, pageSource(route)];
  const hydration = collectScripts(manifest, atHydration);
  const all = collectScripts(manifest, [...atHydration, ...listLater(manifest, atHydration)]);

  const template = await readFile(join(distDir, 'pages', `${route}.html`), 'utf8');
  const html = brotliCompressSync(template.replace('<!--ghost-->', ghostSvg('7K3MPQ9XHT'))).length;
  const fonts = await sumSizes(siteDir, await listFonts(siteDir));
  const scripts = await sumSizes(siteDir, all, '.br');
  const posters = route === 'status' ? await listPosters(siteDir) : [];
  return {
    hydrationScript: await sumGzip(siteDir, hydration),
    allScript: await sumGzip(siteDir, all),
    html,
    fonts,
    firstView: html + fonts + scripts + (await sumSizes(siteDir, posters)),
  };
}

/** What `sources`, and what they load, can load while the page is open. */
function listLater(manifest: Manifest, sources: readonly string[]): string[] {
  const later = new Set<string>();
  const seen = new Set<string>();
  function visit(source: string): void {
    if (seen.has(source)) return;
    seen.add(source);
    const { imports = [], dynamicImports = [] } = manifest[source] ?? {};
    for (const imported of imports) visit(imported);
    for (const imported of dynamicImports.filter((path) => !COUNTED_ELSEWHERE.test(path))) {
      later.add(imported);
      visit(imported);
    }
  }
  for (const source of sources) visit(source);
  return [...later];
}

async function readManifest(distDir: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(distDir, 'manifest/manifest.json'), 'utf8'));
}

async function listFonts(siteDir: string): Promise<string[]> {
  const names = await readdir(join(siteDir, 'assets'));
  return names.filter((name) => name.endsWith('.woff2')).map((name) => `assets/${name}`);
}

/** A browser fetches one poster: the heaviest one of the best format. */
async function listPosters(siteDir: string): Promise<string[]> {
  const names = (await readdir(join(siteDir, 'assets'))).filter((name) =>
    /poster.*\.avif$/.test(name),
  );
  const sized = await Promise.all(
    names.map(async (name) => ({ name, size: (await stat(join(siteDir, 'assets', name))).size })),
  );
  return sized
    .sort((a, b) => b.size - a.size)
    .slice(0, 1)
    .map(({ name }) => `assets/${name}`);
}

async function sumSizes(siteDir: string, files: readonly string[], suffix = ''): Promise<number> {
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(siteDir, file + suffix))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function sumGzip(siteDir: string, files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async (file) => gzipSync(await readFile(join(siteDir, file)), { level: 9 }).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

import { readFile, rename, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Manifest } from 'vite';
import {
  CONSOLE_ENTRY,
  collectScripts,
  entryScript,
  readManifest,
  styleSheet,
} from './read-manifest.ts';
import { type BuildTarget, consoleConfig } from './vite-config.ts';

const BASE = '/console/';
const PRELOADED_FONTS = /url\(["']?([^"')]*\/(?:text|mono)-[^"')]+\.woff2)/g;

export async function buildConsole({ outDir, ...source }: BuildTarget): Promise<void> {
  const consoleDir = join(outDir, 'console');
  await build(consoleConfig({ outDir: consoleDir, ...source }));
  const manifest = await readManifest(consoleDir);
  const css = await readFile(join(consoleDir, styleSheet(manifest)), 'utf8');
  const fonts = [...css.matchAll(PRELOADED_FONTS)].map(([, href = '']) => href);
  await writeFile(join(outDir, 'pages', 'console.html'), renderConsole(manifest, fonts));
  await rename(join(consoleDir, '.vite/manifest.json'), join(outDir, 'manifest/console.json'));
  await rmdir(join(consoleDir, '.vite'));
}

function renderConsole(manifest: Manifest, fonts: readonly string[]): string {
  const script = entryScript(manifest, CONSOLE_ENTRY);
  const preloads = collectScripts(manifest, [CONSOLE_ENTRY]).filter((file) => file !== script);
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    '<title>Console</title>',
    '<meta name="robots" content="noindex">',
    '<meta name="color-scheme" content="dark">',
    ...fonts.map(
      (href) => `<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>`,
    ),
    `<link rel="stylesheet" href="${BASE}${styleSheet(manifest)}">`,
    ...preloads.map((file) => `<link rel="modulepreload" href="${BASE}${file}">`),
    `<script type="module" src="${BASE}${script}"></script>`,
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
  ];
  return (
    `<!doctype html><html lang="en"><head>${head.join('')}</head><body><div id="root"></div>` +
    '<noscript>The console needs JavaScript.</noscript></body></html>'
  );
}

/** Sources of the README's pictures; a test fails when a page has changed since its picture. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { Sharp } from 'sharp';
import { ROOT } from '../build/vite-config.ts';

const FOLDER = 'docs/screenshots';
const NOTE_FILE = join(ROOT, FOLDER, 'sources.json');

/** The ghosts come into pages by the build and by the server, not by an import. */
const SITE = ['web/app.tsx', 'brand/art/ghost.ts'];
const PAGES: Readonly<Record<string, readonly string[]>> = {
  landing: [...SITE, 'web/pages/landing/landing-page.tsx'],
  joining: [...SITE, 'web/pages/landing/landing-page.tsx', 'web/pages/status/status-page.tsx'],
  invite: [...SITE, 'web/pages/invite/invite-page.tsx'],
  status: [...SITE, 'web/pages/status/status-page.tsx'],
  'drop-pass': [...SITE, 'web/pages/status/status-page.tsx'],
  'console-overview': ['console/app.tsx', 'console/screens/overview/overview-screen.tsx'],
  'console-members': ['console/app.tsx', 'console/screens/members/members-screen.tsx'],
  'console-offers': ['console/app.tsx', 'console/screens/drop/offers-screen.tsx'],
  'console-drop': ['console/app.tsx', 'console/screens/drop/drop-screen.tsx'],
};

/** Routers import every other page. */
const DOORS = new Set(['web/page-modules.ts', 'console/routing/screens.tsx']);
const TEXT = /\.(?:tsx?|css|json|svg)$/;
const IMPORTS = new RegExp(
  [
    /(?:^|[\s;}])(?:import|export)\s(?!type\s)(?:[^'";]*?\sfrom\s+)?'(\.[^'?]+)/,
    /import\('(\.[^'?]+)/,
    /(?:@import|url\()\s*["']?(\.[^"')?]+)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

export function listPictures(): string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  return [...readme.matchAll(/src="docs\/screenshots\/([^"]+)"/g)].map(([, name = '']) => name);
}

export function isOld(picture: string): boolean {
  const path = join(ROOT, FOLDER, picture);
  return !existsSync(path) || readNotes()[picture] !== hashSources(picture);
}

/** Returns the size in bytes. Throws if that is more than `maxBytes`. */
export async function writePicture(picture: string, image: Sharp, maxBytes: number) {
  const file = join(ROOT, FOLDER, picture);
  mkdirSync(dirname(file), { recursive: true });
  const { size } = await image.toFile(file);
  if (size > maxBytes) throw new Error(`${file} has ${size} bytes, more than ${maxBytes}.`);
  noteSources(picture);
  return size;
}

function noteSources(picture: string): void {
  const notes = Object.entries({ ...readNotes(), [picture]: hashSources(picture) })
    .filter(([name]) => existsSync(join(ROOT, FOLDER, name)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(NOTE_FILE, `${JSON.stringify(Object.fromEntries(notes), null, 2)}\n`);
}

/** Imports are followed, so that a change of another page requires no new picture. */
function listSources(picture: string): string[] {
  const entries = PAGES[picture.replace(/-(?:desk|phone)\.webp$/, '')];
  if (entries === undefined) throw new Error(`No page is known for ${picture}.`);
  const found = new Set(entries);
  // Iterating a set also visits elements that are added meanwhile.
  for (const path of found) {
    if (DOORS.has(path) || !/\.(?:tsx?|css)$/.test(path)) continue;
    for (const match of readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORTS)) {
      const [name = ''] = match.slice(1).filter(Boolean);
      const source = normalize(join(dirname(path), name)).replaceAll('\\', '/');
      if (existsSync(join(ROOT, source))) found.add(source);
    }
  }
  return [...found].toSorted();
}

function hashSources(picture: string): string {
  const hash = createHash('sha256');
  for (const path of listSources(picture)) {
    const bytes = readFileSync(join(ROOT, path));
    const content = TEXT.test(path) ? bytes.toString().replaceAll('\r\n', '\n') : bytes;
    hash.update(`${path}\0`).update(createHash('sha256').update(content).digest());
  }
  return hash.digest('hex');
}

function readNotes(): Readonly<Record<string, string>> {
  return existsSync(NOTE_FILE) ? JSON.parse(readFileSync(NOTE_FILE, 'utf8')) : {};
}

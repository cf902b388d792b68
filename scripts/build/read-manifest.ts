import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Manifest, ManifestChunk } from 'vite';

export const ENTRY = 'web/entry-client.tsx';
export const CONSOLE_ENTRY = 'console/entry-console.tsx';

export const pageSource = (page: string) => `web/pages/${page}/${page}-page.tsx`;

export async function readManifest(siteDir: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(siteDir, '.vite/manifest.json'), 'utf8'));
}

/** `source`: a sheet that is imported by its address stands in the manifest by its whole path. */
export function styleSheet(manifest: Manifest, source = 'style.css'): string {
  const sheet = manifest[source];
  if (!sheet) throw new Error(`The build has no style sheet ${source}.`);
  return sheet.file;
}

export function entryScript(manifest: Manifest, source = ENTRY): string {
  const entry = manifest[source];
  if (!entry) throw new Error(`${source} is not in the manifest of the build.`);
  return entry.file;
}

export function collectScripts(manifest: Manifest, sources: readonly string[]): string[] {
  const scripts = new Set<string>();
  const seen = new Set<string>();
  function visit(source: string): void {
    const chunk = manifest[source] ?? findByName(manifest, source);
    if (!chunk) throw new Error(`${source} is not in the manifest of the build.`);
    if (seen.has(source)) return;
    seen.add(source);
    for (const imported of chunk.imports ?? []) visit(imported);
    scripts.add(chunk.file);
  }
  for (const source of sources) visit(source);
  return [...scripts];
}

/** A module imported both statically and dynamically has a chunk by name, not by path. */
function findByName(manifest: Manifest, source: string): ManifestChunk | undefined {
  const name = basename(source, extname(source));
  return Object.values(manifest).find((chunk) => chunk.name === name);
}

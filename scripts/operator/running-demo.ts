import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readServerAddress } from '../../server/access/server-address.ts';

type Demo = { readonly dataDir: string; readonly owner: string };

const NOTE = fileURLToPath(new URL('../../.cache/demo.json', import.meta.url));

export function announceDemo(demo: Demo): void {
  mkdirSync(dirname(NOTE), { recursive: true });
  writeFileSync(NOTE, `${JSON.stringify(demo)}\n`);
}

export async function findDemo(): Promise<Demo | null> {
  const text = await readFile(NOTE, 'utf8').catch(() => null);
  if (text === null) return null;
  const demo = JSON.parse(text) as Demo;
  return (await readServerAddress(demo.dataDir)) === null ? null : demo;
}

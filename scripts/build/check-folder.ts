import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFaults } from '../../server/site/brand/check-brand.ts';
import { StartupError } from '../../server/startup-error.ts';
import { importFresh } from './import-fresh.ts';

const MEDIA = [
  ...['soundtrack.m4a', 'soundtrack.opus', 'soundtrack-envelope.json'],
  ...['wide', 'tall'].flatMap((cut) => [
    ...[`teaser-${cut}.mp4`, `teaser-${cut}.av1.mp4`],
    ...[`poster-${cut}.avif`, `poster-${cut}.jpg`],
  ]),
];

const FILES = [
  'brand.ts',
  'fonts.css',
  ...['ghost.ts', 'mask.ts', 'mask-silhouette.ts'].map((file) => `art/${file}`),
  ...MEDIA.map((file) => `media/${file}`),
  'static/og.jpg',
];

export async function checkBrandFolder(brandDir: string): Promise<void> {
  const missing = [...FILES, ...listFonts(brandDir)]
    .filter((file) => !existsSync(join(brandDir, file)))
    .map((file) => `${file} is missing in ${brandDir}.`);
  const hasBrand = existsSync(join(brandDir, 'brand.ts'));
  const wrong = hasBrand ? findFaults(await readBrand(brandDir), brandDir) : [];
  if (missing.length + wrong.length > 0) throw new StartupError([...missing, ...wrong].join('\n'));
}

async function readBrand(brandDir: string): Promise<unknown> {
  const path = join(brandDir, 'brand.ts');
  try {
    return (await importFresh<{ brand: unknown }>(path)).brand;
  } catch (cause) {
    const [reason = ''] = String(cause instanceof Error ? cause.message : cause)
      .trim()
      .split('\n');
    throw new StartupError(`brand.ts cannot be read: ${reason}`, { cause });
  }
}

function listFonts(brandDir: string): string[] {
  const path = join(brandDir, 'fonts.css');
  if (!existsSync(path)) return [];
  const named = readFileSync(path, 'utf8').matchAll(/url\("\.\/(fonts\/[^"]+)"\)/g);
  return Array.from(named, ([, file = '']) => file);
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Brand, BrandArt } from '../../../brand/brand-shape.ts';
import { needToken } from '../brand/token-rules.ts';

const COLOURS = [
  ...(['void', 'fog', 'bone', 'afterglow', 'charge', 'deep'] as const),
  ...(['ghost-bare', 'ghost-paint'] as const),
] as const;
const FACES = ['font-display', 'font-mono', 'font-numeral'] as const;

export type Tokens = Readonly<Record<(typeof COLOURS)[number] | (typeof FACES)[number], string>>;

export type CardStyle = Pick<BrandArt, 'ghostSvg' | 'maskSvg'> & {
  readonly brand: Brand;
  readonly tokens: Tokens;
};

const VERSION_LENGTH = 10;
const OWN_FOLDER = fileURLToPath(new URL('./', import.meta.url));

export async function loadCardStyle(brandDir: string): Promise<CardStyle> {
  const load = (file: string) => import(pathToFileURL(join(brandDir, file)).href);
  const files = ['brand.ts', 'art/ghost.ts', 'art/mask.ts'];
  const [{ brand }, { ghostSvg }, { maskSvg }] = await Promise.all(files.map(load));
  const css = readFileSync(join(brandDir, 'tokens.css'), 'utf8');
  const tokens = [...COLOURS, ...FACES].map((name) => [name, needToken(css, name)]);
  return { brand, ghostSvg, maskSvg, tokens: Object.fromEntries(tokens) };
}

/** System fonts differ by machine, so only a brand without own fonts uses them. */
export function cardFonts(brandDir: string) {
  const fonts = filesUnder(brandDir).filter((file) => file.endsWith('.ttf'));
  const fontFiles = fonts.map((file) => join(brandDir, file));
  return { fontFiles, loadSystemFonts: fontFiles.length === 0 };
}

export function artVersion(brandDir: string): string {
  const hash = createHash('sha256');
  for (const folder of [brandDir, OWN_FOLDER]) {
    const files = filesUnder(folder).filter(
      (file) => /\.(ts|ttf)$|^tokens\.css$/.test(file) && !file.endsWith('.test.ts'),
    );
    for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(folder, file)));
  }
  return hash.digest('base64url').slice(0, VERSION_LENGTH);
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type CardStyle, readTokens } from './cards/card-style.ts';

const VERSION_LENGTH = 10;
const OWN_FOLDER = fileURLToPath(new URL('./', import.meta.url));

export async function loadCardStyle(brandDir: string): Promise<CardStyle> {
  const load = (file: string) => import(pathToFileURL(join(brandDir, file)).href);
  const files = ['brand.ts', 'art/ghost.ts', 'art/mask.ts'];
  const [{ brand }, { ghostSvg }, { maskSvg }] = await Promise.all(files.map(load));
  return {
    brand,
    ghostSvg,
    maskSvg,
    tokens: readTokens(readFileSync(join(brandDir, 'tokens.css'), 'utf8')),
  };
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

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ensureChromium } from '../chromium.ts';
import { runFfmpeg } from './ffmpeg.ts';

type Picture = {
  /** Body markup; tokens.css and the brand's fonts are there. */
  readonly markup: string;
  readonly css?: string;
  readonly width: number;
  readonly height: number;
  readonly format: { readonly type: 'png' } | { readonly type: 'jpeg'; readonly quality: number };
};

export type Stills = {
  /** The picture as bytes of a PNG or JPEG file; what the markup leaves open stays transparent in a PNG. */
  photograph(picture: Picture): Promise<Buffer>;
  /** The same as raw pixels of 4 bytes: red, green, blue, opacity. */
  photographPixels(picture: Omit<Picture, 'format'>): Promise<Uint8Array>;
  close(): Promise<void>;
};

const BRAND = new URL('../../brand/', import.meta.url);

/** Opens a browser that draws still pictures: it lays out text with the brand's tokens and fonts, as the site does. */
export async function openStills(brand: URL = BRAND): Promise<Stills> {
  const [tokens, fonts] = await Promise.all([readFile(new URL('tokens.css', brand), 'utf8'), readFontsInline(brand)]);
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  const photograph = async ({ markup, css = '', width, height, format }: Picture) => {
    const page = await browser.newPage({ viewport: { width, height } });
    // `color-scheme: dark` would put the browser's own canvas colour behind a transparent picture.
    const reset = ':root { color-scheme: normal } * { margin: 0; box-sizing: border-box }';
    await page.setContent(`<style>${tokens}${fonts}${reset}${css}</style>${markup}`);
    await page.evaluate(() => document.fonts.ready);
    const bytes = await page.screenshot({ ...format, omitBackground: format.type === 'png' });
    await page.close();
    return bytes;
  };
  return {
    photograph,
    photographPixels: async (picture) => readPixels(await photograph({ ...picture, format: { type: 'png' } })),
    close: () => browser.close(),
  };
}

async function readPixels(png: Buffer): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'still-'));
  try {
    await writeFile(join(folder, 'still.png'), png);
    const raw = join(folder, 'still.rgba');
    await runFfmpeg(['-i', join(folder, 'still.png'), '-f', 'rawvideo', '-pix_fmt', 'rgba', raw]);
    return await readFile(raw);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** fonts.css with the files inside it: a page without an address cannot load them. */
async function readFontsInline(brand: URL): Promise<string> {
  let css = await readFile(new URL('fonts.css', brand), 'utf8');
  for (const [reference, file = ''] of css.matchAll(/\.\/fonts\/([\w-]+\.woff2)/g)) {
    const bytes = await readFile(new URL(`fonts/${file}`, brand));
    css = css.replace(reference, `data:font/woff2;base64,${bytes.toString('base64')}`);
  }
  return css.replaceAll('optional', 'block');
}

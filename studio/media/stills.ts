import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { ensureChromium } from '../../scripts/chromium.ts';

type Picture = {
  readonly markup: string;
  readonly css?: string;
  readonly width: number;
  readonly height: number;
  readonly format: { readonly type: 'png' } | { readonly type: 'jpeg'; readonly quality: number };
};

export type Stills = Awaited<ReturnType<typeof openStills>>;

const BRAND = new URL('../../brand/', import.meta.url);

export async function openStills(brand: URL = BRAND) {
  const [tokens, fonts] = await Promise.all([
    readFile(new URL('tokens.css', brand), 'utf8'),
    readFontsInline(brand),
  ]);
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const render = async ({ markup, css = '', width, height, format }: Picture) => {
    const page = await browser.newPage({ viewport: { width, height } });
    // `color-scheme: dark` would paint the browser's canvas behind a transparent picture.
    const reset = ':root { color-scheme: normal } * { margin: 0; box-sizing: border-box }';
    await page.setContent(`<style>${tokens}${fonts}${reset}${css}</style>${markup}`);
    await page.evaluate(() => document.fonts.ready);
    const bytes = await page.screenshot({ ...format, omitBackground: format.type === 'png' });
    await page.close();
    return bytes;
  };
  return {
    render,
    async renderPixels(picture: Omit<Picture, 'format'>): Promise<Uint8Array> {
      const png = await render({ ...picture, format: { type: 'png' } });
      return await sharp(png).ensureAlpha().raw().toBuffer();
    },
    close: () => browser.close(),
  };
}

/** fonts.css with its files as data URLs: a page without an address cannot load files. */
async function readFontsInline(brand: URL): Promise<string> {
  let css = await readFile(new URL('fonts.css', brand), 'utf8');
  for (const [reference, file = ''] of css.matchAll(/\.\/fonts\/([\w-]+\.woff2)/g)) {
    const bytes = await readFile(new URL(`fonts/${file}`, brand));
    css = css.replace(reference, `data:font/woff2;base64,${bytes.toString('base64')}`);
  }
  return css.replaceAll('optional', 'block');
}

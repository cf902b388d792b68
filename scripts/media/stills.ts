import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { ensureChromium } from '../chromium.ts';

export type Picture = {
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
  close(): Promise<void>;
};

/** Opens a browser that draws still pictures: it lays out text with the brand's fonts, as the site does. */
export async function openStills(): Promise<Stills> {
  const [tokens, fonts] = await Promise.all([readBrandFile('tokens.css'), readFontsInline()]);
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  return {
    photograph: async ({ markup, css = '', width, height, format }) => {
      const page = await browser.newPage({ viewport: { width, height } });
      await page.setContent(`<style>${tokens}${fonts}*{margin:0;box-sizing:border-box}${css}</style>${markup}`);
      await page.evaluate(() => document.fonts.ready);
      const bytes = await page.screenshot({ ...format, omitBackground: format.type === 'png' });
      await page.close();
      return bytes;
    },
    close: () => browser.close(),
  };
}

/** fonts.css with the files inside it: a page without an address cannot load them. */
async function readFontsInline(): Promise<string> {
  let css = await readBrandFile('fonts.css');
  for (const [reference, file = ''] of css.matchAll(/\.\/fonts\/([\w-]+\.woff2)/g)) {
    const bytes = await readFile(new URL(`../../brand/fonts/${file}`, import.meta.url));
    css = css.replace(reference, `data:font/woff2;base64,${bytes.toString('base64')}`);
  }
  return css.replaceAll('optional', 'block');
}

function readBrandFile(name: string): Promise<string> {
  return readFile(new URL(`../../brand/${name}`, import.meta.url), 'utf8');
}

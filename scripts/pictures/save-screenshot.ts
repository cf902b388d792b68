import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { isOld, writePicture } from './picture-sources.ts';

const MAX_BYTES = 150_000;

export type Screen = {
  readonly name: 'phone' | 'desk';
  readonly viewport: { readonly width: number; readonly height: number };
  readonly deviceScaleFactor: number;
  /** The width of the picture in pixels. */
  readonly width: number;
};

export const SCREENS = [
  { name: 'phone', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, width: 585 },
  { name: 'desk', viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1, width: 1440 },
] as const satisfies readonly Screen[];

/** Skips an unchanged page, because its codes and faces are random. Throws if too large. */
export async function saveScreenshot(
  page: Page,
  label: string,
  { name, width }: Pick<Screen, 'name' | 'width'>,
): Promise<void> {
  const picture = `${label}-${name}.webp`;
  if (!isOld(picture)) return;
  await page.evaluate(() => document.fonts.ready);
  const image = sharp(await page.screenshot())
    .resize({ width })
    .webp({ quality: 82 });
  const size = await writePicture(picture, image, MAX_BYTES);
  console.log(`${label} on a ${name}: ${Math.round(size / 1000)} kB`);
}

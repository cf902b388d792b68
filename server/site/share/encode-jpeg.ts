import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import { cardFonts } from './brand-folder.ts';

/** Rasterises an SVG. Throws when the file does not fit `maxBytes`. */
export type EncodeJpeg = (svg: string, maxBytes: number) => Promise<Uint8Array<ArrayBuffer>>;

const QUALITIES = [84, 74, 62, 48];

export function openJpegEncoder(brandDir: string): EncodeJpeg {
  const font = cardFonts(brandDir);
  // A cache would only take memory, because no image repeats.
  sharp.cache(false);
  sharp.concurrency(1);
  return async (svg, maxBytes) => {
    const { width, height, pixels } = new Resvg(svg, { font }).render();
    const picture = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
    for (const quality of QUALITIES) {
      const bytes = await picture.clone().jpeg({ quality, mozjpeg: true }).toBuffer();
      if (bytes.length <= maxBytes) return new Uint8Array(bytes);
    }
    throw new Error(`An image of ${width} x ${height} does not fit ${maxBytes} bytes.`);
  };
}

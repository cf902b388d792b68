import { Resvg } from '@resvg/resvg-js';
import {
  MASK_EYES_PATH,
  MASK_SILHOUETTE_PATH,
  MASK_SILHOUETTE_VIEW_BOX,
} from '../../brand/art/mask-silhouette.ts';
import type { CardStyle } from '../../server/site/share/brand-folder.ts';
import { siteCardSvg } from '../../server/site/share/cards/invite-card.ts';
import { openJpegEncoder } from '../../server/site/share/encode-jpeg.ts';

export type OutputFile = { readonly name: string; readonly bytes: Buffer };

export function makeIcons(style: CardStyle): OutputFile[] {
  const icon = (size: number, shape: IconShape) =>
    new Resvg(iconSvg(style, shape), { fitTo: { mode: 'width', value: size } }).render().asPng();
  return [
    { name: 'favicon.svg', bytes: Buffer.from(`${iconSvg(style, ROUNDED)}\n`) },
    { name: 'favicon.ico', bytes: icoFile(icon(32, ROUNDED), 32) },
    { name: 'apple-touch-icon.png', bytes: icon(180, FULL_BLEED) },
    { name: 'icon-192.png', bytes: icon(192, ROUNDED) },
    { name: 'icon-512.png', bytes: icon(512, ROUNDED) },
    { name: 'icon-maskable-512.png', bytes: icon(512, MASKABLE) },
    {
      name: 'manifest.webmanifest',
      bytes: Buffer.from(`${JSON.stringify(manifest(style), null, 2)}\n`),
    },
  ];
}

/** Lengths in units of a 32 x 32 icon. */
type IconShape = { readonly cornerRadius: number; readonly maskHeight: number };

const ROUNDED: IconShape = { cornerRadius: 7, maskHeight: 25 };
const FULL_BLEED: IconShape = { cornerRadius: 0, maskHeight: 22 };
/** The picture of a maskable icon must lie within a circle of 80 %. */
const MASKABLE: IconShape = { cornerRadius: 0, maskHeight: 19 };

function iconSvg({ brand, tokens }: CardStyle, { cornerRadius, maskHeight }: IconShape): string {
  const { void: background, bone: mask } = tokens;
  const [, , width = 0, height = 0] = MASK_SILHOUETTE_VIEW_BOX.split(' ').map(Number);
  const scale = maskHeight / height;
  const left = 16 - (width * scale) / 2;
  const top = 16 - maskHeight / 2;
  const place = `translate(${left.toFixed(2)} ${top.toFixed(2)}) scale(${scale.toFixed(3)})`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>${brand.name}</title>`,
    `<rect width="32" height="32" rx="${cornerRadius}" fill="${background}"/>`,
    `<g transform="${place}"><path fill="${mask}" d="${MASK_SILHOUETTE_PATH}"/>`,
    `<path fill="${background}" d="${MASK_EYES_PATH}"/></g></svg>`,
  ].join('');
}

function icoFile(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

function manifest({ brand, tokens }: CardStyle) {
  return {
    name: brand.name,
    short_name: brand.name,
    description: brand.copy.landingDescription,
    lang: brand.language,
    start_url: '/',
    display: 'standalone',
    theme_color: tokens.void,
    background_color: tokens.void,
    icons: [
      { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
      { src: '/icon-192.png', type: 'image/png', sizes: '192x192' },
      { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
      { src: '/icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
    ],
  };
}

/** Some apps drop larger cards. */
const MAX_BYTES = 99_000;

export async function makeShareCard(style: CardStyle, brandDir: string): Promise<OutputFile> {
  const bytes = await openJpegEncoder(brandDir)(siteCardSvg(style), MAX_BYTES);
  return { name: 'og.jpg', bytes: Buffer.from(bytes) };
}

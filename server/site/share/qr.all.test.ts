/** Our QR codes, read back by an independent decoder. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import {
  BinaryBitmap,
  DecodeHintType,
  GlobalHistogramBinarizer,
  HybridBinarizer,
  QRCodeReader,
  RGBLuminanceSource,
} from '@zxing/library';
import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { referralCode } from '../../../contract/referral-code-rules.ts';
import { loadCardStyle } from './brand-folder.ts';
import { drawQr } from './render-job.ts';
import { openRenderer } from './renderer.ts';

const BRANDS = ['../../../brand', '../../../test/fixtures/second-brand'];
const [brandDir = '', secondBrandDir = ''] = BRANDS.map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);
const styles = [await loadCardStyle(brandDir), await loadCardStyle(secondBrandDir)] as const;

/** Always the same codes: in a single look, ZXing misses 10 of 150 plain codes at 320 px. */
const codeOf = (member: number) =>
  referralCode(createHash('sha256').update(`${member}`).digest().subarray(0, 10));
const linkOf = (member: number) => `https://waitlist.example.com/invite/${codeOf(member)}`;
const LINKS = [
  `http://127.0.0.1:3000/invite/${codeOf(0)}`,
  linkOf(1),
  `https://a-rather-long-name.of-a-host.somewhere.example.co.uk/invite/${codeOf(2)}`,
];

type Pixels = { readonly data: Uint8ClampedArray; readonly width: number; readonly height: number };

function rasterise(svg: string, width: number): Pixels {
  const picture = new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render();
  return {
    data: new Uint8ClampedArray(picture.pixels),
    width: picture.width,
    height: picture.height,
  };
}

/** The two thresholds by which ZXing, and the readers based on it, tell dark from light. */
const binarizers = { local: HybridBinarizer, global: GlobalHistogramBinarizer };

type Binarizer = (typeof binarizers)[keyof typeof binarizers];

function read({ data, width, height }: Pixels, binarizer: Binarizer) {
  const grey = new Uint8ClampedArray(width * height);
  for (let at = 0; at < grey.length; at++) {
    grey[at] = ((data[at * 4] ?? 0) + 2 * (data[at * 4 + 1] ?? 0) + (data[at * 4 + 2] ?? 0)) / 4;
  }
  const bitmap = new BinaryBitmap(new binarizer(new RGBLuminanceSource(grey, width, height)));
  // Readers on phones try harder, too.
  const hints = new Map([[DecodeHintType.TRY_HARDER, true]]);
  return new QRCodeReader().decode(bitmap, hints);
}

const decode = (pixels: Pixels, binarizer: Binarizer) => read(pixels, binarizer).getText();

function isRead(pixels: Pixels, binarizer: Binarizer, link: string): boolean {
  try {
    return decode(pixels, binarizer) === link;
  } catch {
    return false;
  }
}

describe.each(Object.entries(binarizers))(
  'a decoder with a %s threshold reads',
  (_name, binarizer) => {
    const sizes = [160, 200, 272, 400, 640, 1000];

    test.each(LINKS.flatMap((link) => sizes.map((size) => [link, size] as const)))(
      '%s at %i px',
      (link, size) => {
        for (const { tokens } of styles)
          expect(decode(rasterise(drawQr(link, tokens), size), binarizer)).toBe(link);
      },
    );

    test('the codes of members at the size of a phone, but for one of 25', () => {
      const links = Array.from({ length: 50 }, (_, member) => linkOf(member));
      const isMissed = (link: string) =>
        !isRead(rasterise(drawQr(link, styles[0].tokens), 320), binarizer, link);
      expect(links.filter(isMissed).length).toBeLessThanOrEqual(2);
    });
  },
);

/** Blurs are in pixels; nothing reads a plain code of 272 px that is blurred by 4. */
const VIEWS = [0, 6, 12].flatMap((degrees) => [
  ...[0, 2].map((blur) => ({ size: 272, degrees, blur })),
  ...[2, 4].map((blur) => ({ size: 480, degrees, blur })),
]);

test.each(VIEWS)(
  'every reader reads $size px, tilted by $degrees, blurred by $blur',
  async (view) => {
    const { tokens } = styles[0];
    for (let index = 0; index < 3; index++) {
      const link = linkOf(index);
      const seen = await photograph(drawQr(link, tokens), view);
      for (const binarizer of Object.values(binarizers)) expect(decode(seen, binarizer)).toBe(link);
      expect(decodeQr(seen)).toBe(link);
    }
  },
);

async function photograph(
  svg: string,
  { size, degrees, blur }: (typeof VIEWS)[number],
): Promise<Pixels> {
  const { tokens } = styles[0];
  const picture = new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng();
  const [margin, background] = [size / 4, tokens.void];
  const sides = { top: margin, bottom: margin, left: margin, right: margin };
  const table = sharp(picture)
    .flatten({ background })
    .extend({ ...sides, background });
  const tilted = sharp(await table.png().toBuffer()).rotate(degrees, { background });
  return await readPixels(blur === 0 ? tilted : sharp(await tilted.png().toBuffer()).blur(blur));
}

async function readPixels(image: ReturnType<typeof sharp>): Promise<Pixels> {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data: new Uint8ClampedArray(data), width: info.width, height: info.height };
}

describe('the QR code of a member image', () => {
  const renderer = openRenderer({ brandDir });
  afterAll(() => renderer.close());

  /** A reader with one threshold for all it sees did not find these among the lights around. */
  const FINDS = ['X52CDHNRVG', '40S2MRA69V', 'SYBFVWEGCS', 'FMEX8B03CX'];

  test.each([...FINDS, codeOf(3)])(
    'in the square format holds exactly the invite link of %s',
    async (code) => {
      const link = `https://waitlist.example.com/invite/${code}`;
      const jpeg = await renderer.render(
        { kind: 'member-image', format: 'square', code, position: 128, link },
        'a visitor',
      );
      const found = read(await readPixels(sharp(jpeg)), binarizers.local);
      expect(found.getText()).toBe(link);
      // A person fills the frame of the reader with the code.
      const points = found.getResultPoints();
      const [xs, ys] = [points.map((point) => point.getX()), points.map((point) => point.getY())];
      const size = Math.max(...xs) - Math.min(...xs);
      const region = {
        left: Math.round(Math.min(...xs) - size / 4),
        top: Math.round(Math.min(...ys) - size / 4),
        width: Math.round(size * 1.5),
        height: Math.round(size * 1.5),
      };
      const framed = await readPixels(sharp(jpeg).extract(region));
      expect(decode(framed, binarizers.global)).toBe(link);
    },
  );
});

import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { IMAGE_FORMATS, PASS_FORMATS } from '../../../../contract/paths.ts';
import { type CardStyle, loadCardStyle } from '../brand-folder.ts';
import { drawJob } from '../render-job.ts';
import { siteCardSvg } from './invite-card.ts';

const CODE = '7K3MPQ9XHT';
const brands = ['brand', 'test/fixtures/second-brand'].map((path) =>
  fileURLToPath(new URL(`../../../../${path}`, import.meta.url)),
);

function wordsOf(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, words]) => words ?? '');
}

const separatorOf = ({ brand }: CardStyle) => (1204).toLocaleString(brand.language).slice(1, -3);

const baselinesOf = (svg: string) =>
  [...svg.matchAll(/<text x="[^"]*" y="([^"]*)"/g)].map(([, y]) => Number(y));

const lowestOf = (svg: string) => Math.max(...baselinesOf(svg));

/** Pixels without words below a line, where a sticker fits. */
function gapBelow(svg: string, line: string): number {
  const at = wordsOf(svg).indexOf(line);
  const baselines = baselinesOf(svg);
  const from = baselines[at] ?? 0;
  return Math.min(...baselines.filter((y) => y > from)) - from;
}

describe.each(brands)('the images of %s', (brandDir) => {
  test('an invite card shows only the brand, the invite, the sizes and the code', async () => {
    const style = await loadCardStyle(brandDir);
    const svg = drawJob({ kind: 'invite-card', code: CODE }, style);
    const sizes = style.brand.sizes.map(({ name }) => name.toUpperCase()).join(' / ');
    expect(wordsOf(svg)).toEqual([
      style.brand.name.toUpperCase(),
      'YOU ARE',
      'INVITED.',
      `ONLY ${style.brand.maskCount} MASKS`,
      `${sizes} / NO RESTOCKS`,
      `CODE ${CODE}`,
    ]);
  });

  test('the card of the site has the headline, no code, and fits a longer headline', async () => {
    const style = await loadCardStyle(brandDir);
    const { brand } = style;
    const sizeOf = (svg: string, line: string) =>
      Number(new RegExp(`font-size="(\\d+)"[^>]*>${line.toUpperCase()}<`).exec(svg)?.[1]);
    const own = siteCardSvg(style);
    const [first] = brand.copy.headline;
    expect(wordsOf(own).join(' ')).toContain(brand.copy.headline.join(' ').toUpperCase());
    expect(wordsOf(own).join(' ')).not.toMatch(/CODE [0-9A-Z]{10}/);
    const headline = [first, 'Midnight Athletics'] as const;
    const copy = { ...brand.copy, headline };
    const longer = siteCardSvg({ ...style, brand: { ...brand, copy } });
    expect(sizeOf(longer, first)).toBeLessThan(sizeOf(own, first));
  });

  test('a member image shows the position in the words of the status page', async () => {
    const style = await loadCardStyle(brandDir);
    const job = {
      kind: 'member-image',
      format: 'wide',
      code: CODE,
      position: 128,
      link: 'https://x.test/',
    } as const;
    const words = wordsOf(drawJob(job, style)).join(' ');
    expect(words).toContain(`${style.brand.specified.memberName.toUpperCase()} #128 IN LINE`);
  });

  test.each([
    [1, "I'M IN THE TOP {masks} #1 USE MY LINK. START HIGHER."],
    [1204, "I'M #1,204 USE MY LINK. START HIGHER."],
  ])(
    'a story of number %i challenges, and leaves its lower end to the app',
    async (position, words) => {
      const style = await loadCardStyle(brandDir);
      const link = 'https://x.test/';
      const svg = drawJob(
        { kind: 'member-image', format: 'tall', code: CODE, position, link },
        style,
      );
      expect(wordsOf(svg).join(' ')).toContain(
        words.replace('{masks}', `${style.brand.maskCount}`).replace(',', separatorOf(style)),
      );
      expect(lowestOf(svg)).toBeLessThan(1600);
      expect(gapBelow(svg, 'USE MY LINK. START HIGHER.')).toBeGreaterThan(150);
    },
  );

  test.each(PASS_FORMATS)('a %s pass has its number, and no code', async (format) => {
    const style = await loadCardStyle(brandDir);
    const pass = { drop: 2, size: 'Small', position: 1204 };
    const print = (edition: { number: number; masks: number } | null) =>
      drawJob({ kind: 'pass-image', format, code: CODE, pass: { ...pass, edition } }, style);
    const numbered = print({ number: 12, masks: 100 });
    expect(wordsOf(numbered)).toEqual([
      ...['MASK', '012', 'OF 100', style.brand.name.toUpperCase(), 'DROP 2 / SIZE SMALL'],
    ]);
    expect(wordsOf(print(null))).toContain(`#1${separatorOf(style)}204`);
    if (format === 'tall') expect(lowestOf(numbered)).toBeLessThan(1600);
  });

  test.each(IMAGE_FORMATS)('a %s member image has the invite link in print', async (format) => {
    const style = await loadCardStyle(brandDir);
    const print = (host: string) => {
      const link = `https://${host}/invite/${CODE}`;
      return wordsOf(
        drawJob({ kind: 'member-image', format, code: CODE, position: 1, link }, style),
      );
    };
    expect(print('x.test')).toContain(`x.test/invite/${CODE}`);
    const long = 'a-rather-long-name.of-a-host.somewhere.example.co.uk';
    expect(print(long)).toEqual(expect.arrayContaining([long, `/invite/${CODE}`]));
  });

  test('use the colours of its tokens', async () => {
    const style = await loadCardStyle(brandDir);
    const svg = drawJob({ kind: 'invite-card', code: CODE }, style);
    for (const name of ['void', 'bone', 'fog', 'afterglow', 'deep'] as const)
      expect(svg).toContain(style.tokens[name]);
  });
});

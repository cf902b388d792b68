import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { IMAGE_FORMATS } from '../../../../contract/paths.ts';
import { loadCardStyle } from '../brand-folder.ts';
import { drawJob } from '../render-job.ts';

const CODE = '7K3MPQ9XHT';
const brands = ['brand', 'test/fixtures/second-brand'].map((path) =>
  fileURLToPath(new URL(`../../../../${path}`, import.meta.url)),
);

function wordsOf(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, words]) => words ?? '');
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

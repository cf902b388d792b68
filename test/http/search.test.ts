/** What search engines and home screens see: the landing page, but no member and no threshold. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { fillPath, landingWithReferral, pagePaths } from '../../contract/paths.ts';
import { buildSite, DIST } from '../../scripts/build.ts';
import { renderStructuredData } from '../../server/site/pages/head.ts';
import { openTestApp, type TestApp } from './test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp('postgres');
});
afterAll(() => app.remove());

const read = async (url: string) =>
  (await app.fastify.inject({ method: 'GET', url, headers: { accept: 'text/html' } })).payload;
const DATA_BLOCK = /<script type="application\/ld\+json">(.*?)<\/script>/;

test('the landing page has a description, a canonical URL and a large preview', async () => {
  const landing = await read('/');
  expect(landing).toContain(`<title>${brand.copy.landingTitle}</title>`);
  expect(landing).toContain(`<meta name="description" content="${brand.copy.landingDescription}">`);
  expect(landing).toContain('<meta name="robots" content="max-image-preview:large">');
  expect(await read(landingWithReferral('ABCDEFGHJK'))).toContain(
    '<link rel="canonical" href="https://line.example.com/">',
  );
});

test('the landing page describes its brand as linked data', async () => {
  const { '@context': context, '@graph': graph } = JSON.parse(
    DATA_BLOCK.exec(await read('/'))?.[1] ?? '',
  );
  expect(context).toBe('https://schema.org');
  expect(graph).toMatchObject([
    {
      '@type': 'WebSite',
      url: 'https://line.example.com/',
      name: brand.name,
      inLanguage: brand.language,
    },
    {
      '@type': 'Organization',
      name: brand.name,
      logo: 'https://line.example.com/apple-touch-icon.png',
    },
  ]);
});

test('no text of a brand can end the data block', () => {
  const block = renderStructuredData(
    { ...brand, name: '</script><script>alert(1)</script>' },
    'https://a.example',
  );
  expect(block.match(/<\/script>/g)).toHaveLength(1);
  expect(JSON.parse(DATA_BLOCK.exec(block)?.[1] ?? '')['@graph'][1].name).toContain('</script>');
});

test('personal and missing pages are not indexed and have no linked data', async () => {
  for (const url of [
    fillPath(pagePaths.status, 'some-id'),
    fillPath(pagePaths.invite, 'ABCDEFGHJK'),
    '/elsewhere',
  ]) {
    const page = await read(url);
    expect(page).toContain('<meta name="robots" content="noindex">');
    expect(page).not.toContain('rel="canonical"');
    expect(page).not.toMatch(DATA_BLOCK);
  }
});

test('no file of the site contains tier thresholds or stock', async () => {
  await buildSite({ outDir: DIST });
  const scripts = readdirSync(join(DIST, 'site/assets')).filter((file) => file.endsWith('.js'));
  const texts = scripts.map((file) => readFileSync(join(DIST, 'site/assets', file), 'utf8'));
  expect(texts.join('')).toContain(brand.tiers[0]?.reward);
  for (const text of texts) expect(text).not.toMatch(/requiredReferrals|\bstock:/);
});

test('the built pages name a theme colour, a manifest and icons, and the files exist', async () => {
  await buildSite({ outDir: DIST });
  const html = readFileSync(join(DIST, 'pages/landing.html'), 'utf8');
  const files = readdirSync(join(DIST, 'site'));
  const manifest = JSON.parse(readFileSync(join(DIST, 'site/manifest.webmanifest'), 'utf8'));
  expect(html).toContain(`<html lang="${brand.language}"`);
  expect(html).toContain(`<meta name="theme-color" content="${manifest.theme_color}">`);
  for (const relation of ['manifest', 'apple-touch-icon', 'icon']) {
    const href = new RegExp(`<link rel="${relation}"[^>]* href="/([^"]+)">`).exec(html)?.[1];
    expect(files, relation).toContain(href);
  }
});

/** The same code with another brand's folder: its words, number, tiers and face, and no others. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brand as firstBrand } from '../../brand/brand.ts';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { brand } from '../fixtures/second-brand/brand.ts';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser, type Visitor } from '../support/browser.ts';
import { answerStatus, MEMBER } from '../support/browser-api.ts';
import { joinLine, newAddress } from '../support/browser-line.ts';
import { readToast } from '../support/browser-toast.ts';
import { mailPageStates } from '../support/mail-page-states.ts';
import { pageStates } from '../support/page-states.ts';
import { lookAtEach } from '../support/page-visits.ts';
import { SECOND_BRAND_DIST, type SecondBrand, serveSecondBrand } from '../support/second-brand.ts';

const browser = openTestBrowser();
let site: SecondBrand;
beforeAll(async () => {
  site = await serveSecondBrand();
});
afterAll(() => site.stop());

const visit = () => browser.visit({ baseURL: site.url });

test('the landing page is the brand: its words, sizes, language, colour and face', async () => {
  const { page, open } = await visit();
  await open(pagePaths.landing);
  await expect.poll(() => page.title()).toBe(brand.copy.landingTitle);
  await page.getByRole('link', { name: brand.name }).waitFor();
  await page.getByRole('heading', { name: brand.copy.headline.join(' ') }).waitFor();
  await expect
    .poll(() => page.getByRole('list', { name: 'Sizes' }).getByRole('listitem').allInnerTexts())
    .toEqual(['Cub', 'Vixen']);
  await page.getByText('The top 60 enter the shop first').waitFor();
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en-GB');
  await expect
    .poll(() => page.locator('meta[name="theme-color"]').getAttribute('content'))
    .toBe('#faf6ee');
  await expect
    .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor))
    .toBe('rgb(250, 246, 238)');
  await expect.poll(() => page.locator('#mask polygon').count()).toBeGreaterThan(10);
  expect(brand.maskCount).toBe(60);
  await page.getByRole('heading', { name: 'ONLY 60 MASKS' }).waitFor();
  await page.getByRole('heading', { name: brand.copy.meterTitle }).waitFor();
  await page.clock.runFor(3000);
  const section = page.getByRole('region', { name: brand.product.title });
  await section.getByRole('img', { name: 'A folded fox.' }).waitFor();
  await expect.poll(() => section.getByRole('term').allInnerTexts()).toEqual(['PAPER']);
  await expect.poll(() => section.getByText('Size guide').count()).toBe(0);
  await page.getByText('The top 60 enter the shop first').waitFor();
  await expect.poll(() => page.locator('.meter-caption').innerText()).toMatch(/^01\s[\s\S]*\s60$/);
  await expect
    .poll(() => page.locator('.mask-meter-10').getAttribute('viewBox'))
    .toBe('0 0 236 198');
});

test('a member, one who is unknown, and an unknown page have its words and number', async () => {
  const { page, open, expectNoise } = await visit();
  expectNoise(/404/);
  await open(fillPath(pagePaths.status, 'nobody'));
  await page.getByRole('heading', { name: brand.specified.statusNotFound }).waitFor();
  await page.getByText('Invalid or expired link.').waitFor();
  await open('/elsewhere');
  await page.getByRole('heading', { name: brand.copy.notFoundTitle }).waitFor();
  for (const [position, text] of [
    [60, 'In the top 60'],
    [61, '1 place to go'],
  ] as const) {
    await answerStatus(page, { position });
    await open(fillPath(pagePaths.status, MEMBER.id));
    await page.getByText(text, { exact: true }).waitFor();
    await page.getByText(/top 60.*early shop access/).waitFor();
  }
});

test("a join and a friend's join follow its rule and its tiers", async () => {
  const inviter = await visit();
  await inviter.open(pagePaths.landing);
  await inviter.page.getByLabel('Email').fill(newAddress());
  await inviter.page.getByRole('button', { name: 'SECURE YOUR SPOT' }).click();
  await expect(readToast(inviter.page, brand.specified.joined)).resolves.toMatchObject({
    isDestructive: false,
  });
  await inviter.page.getByRole('heading', { name: /^Fox #\d+ in line$/ }).waitFor();
  await inviter.page.getByText('Next reward: A folding sheet').waitFor();
  await inviter.page.getByText(brand.specified.totalMembers).waitFor();
  const link = await inviter.page.getByLabel('Invite link', { exact: true }).inputValue();

  const friend = await visit();
  await friend.open(new URL(link).pathname);
  await friend.page.getByText(brand.copy.inviteNote).waitFor();
  await expect.poll(() => friend.page.locator('#ghost .ghost-paint').count()).toBeGreaterThan(0);
  const card = await friend.page.locator('meta[property="og:image"]').getAttribute('content');
  const image = await fetch(card ?? '');
  expect(image.headers.get('content-type')).toBe('image/jpeg');
  const neutral = readFileSync(join(SECOND_BRAND_DIST, 'site/og.jpg'));
  await expect.poll(async () => Buffer.from(await image.arrayBuffer()).equals(neutral)).toBe(false);
  await friend.page.getByLabel('Email').fill(newAddress());
  await friend.page.getByRole('button', { name: 'Accept Invite & Join' }).click();
  await friend.page.getByRole('heading', { name: /^Fox #\d+ in line$/ }).waitFor();

  await inviter.page.reload();
  await inviter.becomeLive();
  await inviter.page.getByText('Next reward: A red ribbon').waitFor();
  await inviter.page.getByText('A folding sheet', { exact: true }).waitFor();
});

test('its pages are accessible and fit every width', async () => {
  const visitor = await browser.visit({ baseURL: site.url, permissions: ['clipboard-write'] });
  await lookAtEach(visitor, pageStates, ({ name }) => expectAccessiblePage(visitor.page, name));
});

test('its mail pages are accessible and fit every width', async () => {
  const visitor = await browser.visit({ baseURL: site.url });
  const { id } = await joinLine({ siteUrl: site.url });
  const states = mailPageStates.map(({ name, reach }) => ({
    name,
    reach: (member: Visitor) => reach(member, { id, secretKey: site.secretKey }),
  }));
  await lookAtEach(visitor, states, ({ name }) => expectAccessiblePage(visitor.page, name));
});

test('no page, script or style of its site has a word or number of the first brand', () => {
  const words = [firstBrand.name, ...Object.values(firstBrand.specified), firstBrand.copy.tagline];
  const asText = new RegExp(`(?<![\\w-])(?:${words.join('|')})(?![\\w-])`);
  const asNumber = /\b(?:only|top|first) 100\b|the hundred/i;
  const files = readdirSync(SECOND_BRAND_DIST, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.(html|js|css|svg|webmanifest)$/.test(path),
  );
  expect(files.length).toBeGreaterThan(10);
  const found = files.flatMap((path) => {
    const text = readFileSync(join(SECOND_BRAND_DIST, path), 'utf8');
    const said = asText.exec(text) ?? asNumber.exec(text);
    return said ? [`${path}: ${said[0]}`] : [];
  });
  expect(found).toEqual([]);
});

import { expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { SOURCE_HEADER } from '../../contract/sources.ts';
import { openTestBrowser, type Visitor } from '../support/browser.ts';
import { answerCall, answerStatus, holdCall, MEMBER } from '../support/browser-api.ts';
import { joinLine } from '../support/browser-line.ts';

const browser = openTestBrowser();

const QUERY = '?utm_source=TikTok&utm_campaign=Drop+1&via=qr&gclid=other';
const NEWS = 'https://news.example/story?private=1';

const SOURCE = { utm_source: 'TikTok', utm_campaign: 'Drop 1', via: 'qr' };

async function join(page: Visitor['page']): Promise<object | null> {
  const { seen, release } = await holdCall(page, 'join');
  await page.getByLabel('Email').fill('someone@example.com');
  await page.getByLabel('Email').press('Enter');
  await expect.poll(() => seen.length).toBe(1);
  release({ status: 422, json: { detail: 'Not today.' } });
  await page.locator('[data-form-message]', { hasText: 'Not today.' }).waitFor();
  const source = seen[0]?.headers[SOURCE_HEADER];
  return source === undefined ? null : Object.fromEntries(new URLSearchParams(source));
}

async function readStored({ context, page }: Visitor): Promise<unknown> {
  const stored = await page.evaluate(() => [
    Object.keys(localStorage),
    Object.keys(sessionStorage),
  ]);
  return [...stored, await context.cookies()];
}

test('the landing page sends its query and the host of the referrer', async () => {
  const visitor = await browser.visit();
  visitor.expectNoise(/422/);
  await visitor.page.goto(pagePaths.landing + QUERY, { referer: NEWS });
  await visitor.becomeLive();
  const sent = { ...SOURCE, referring_host: 'news.example' };
  await expect(join(visitor.page)).resolves.toEqual(sent);
  await expect.poll(() => readStored(visitor)).toEqual([[], [], []]);
  await visitor.open(pagePaths.landing);
  await expect(join(visitor.page)).resolves.toBe(null);
});

test('the invite page sends the same, and if not valid leads to the waitlist with it', async () => {
  const { referral_code: code } = await joinLine();
  const visitor = await browser.visit();
  visitor.expectNoise(/422/);
  await visitor.open(fillPath(pagePaths.invite, code) + QUERY);
  await visitor.page.getByRole('heading', { name: 'Exclusive Invite' }).waitFor();
  await expect(join(visitor.page)).resolves.toEqual(SOURCE);

  await answerCall(visitor.page, 'verifyReferral', {
    json: { valid: false, referrer_email: null },
  });
  await visitor.open(fillPath(pagePaths.invite, 'ZZZZZZZZZZ') + QUERY);
  await visitor.page.getByRole('heading', { name: 'Invalid Invite' }).waitFor();
  await visitor.page.clock.runFor(3_000);
  await visitor.page.waitForURL((url) => url.pathname === pagePaths.landing);
  await visitor.page.getByRole('button', { name: 'SECURE YOUR SPOT' }).waitFor();
  await expect(join(visitor.page)).resolves.toEqual(SOURCE);
});

test('after the status page, the landing page sends what is in its own address', async () => {
  const visitor = await browser.visit();
  visitor.expectNoise(/422/);
  await visitor.open(pagePaths.landing + QUERY);
  await answerStatus(visitor.page, MEMBER);
  await answerCall(visitor.page, 'join', { status: 201, json: MEMBER });
  await visitor.page.getByLabel('Email').fill('someone@example.com');
  await visitor.page.getByLabel('Email').press('Enter');
  await visitor.page.getByRole('heading', { name: /Ghost #\d+ in line/ }).waitFor();
  await visitor.page.goBack();
  await visitor.page.getByLabel('Email').waitFor();
  await expect(join(visitor.page)).resolves.toEqual(SOURCE);
});

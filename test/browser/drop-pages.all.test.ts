/** A member's page from the freeze to the end of a drop. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { apiPaths, fillPath, pagePaths } from '../../contract/paths.ts';
import { OFFER, PASS, SERVER_NOW } from '../../web/dev/sample-drops.ts';
import { openTestBrowser } from '../support/browser.ts';
import { MEMBER } from '../support/browser-api.ts';
import { answerDrop, pathTo } from '../support/drop-states.ts';
import { answerPath } from '../support/paused-calls.ts';

const browser = openTestBrowser();
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
const message = (page: Page) => page.locator('.offer-message');

test('while the drop is open no code of it is fetched, but for the link of an offer', async () => {
  const { page, open } = await browser.visit();
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await answerDrop(page, { place: { state: 'open' } });
  await open(fillPath(pagePaths.status, MEMBER.id));
  await page.getByRole('button', { name: 'Copy invite link' }).waitFor();
  expect(fetched.filter((url) => /drop/.test(url))).toEqual([]);
  await answerDrop(page, { place: { state: 'open' }, offer: PASS });
  await open(pathTo({ hasLink: true }));
  await page.getByRole('button', { name: 'Show code' }).waitFor();
  await page.getByText('Mask 012 of 100', { exact: true }).waitFor();
});

test('a fixed order and an earlier pass leave no words of an open line', async () => {
  const { page, open } = await browser.visit();
  const openWords = page.getByText(/The top 100 get early|In the top 100|puts you ahead/);
  await answerDrop(page, { place: { state: 'frozen', place: null, size: null } });
  await open(pathTo({}));
  for (const words of ['The order of drop 1 is fixed.', 'for drop 2', 'Frozen at #12'])
    await page.getByText(words).waitFor();
  await expect.poll(() => openWords.count()).toBe(0);
  await page.getByText('Friends no longer change the order of drop 1.').waitFor();
  await answerDrop(page, { place: { drop: 2, state: 'open', position: null }, offer: PASS });
  await open(pagePaths.landing);
  await open(pathTo({ hasLink: true }));
  await page.getByText('Your mask does not depend on your place').waitFor();
  await page.getByText('One is yours', { exact: true }).waitFor();
  await page.getByText('Drop 1', { exact: true }).waitFor();
  await expect.poll(() => page.getByText(/The top 100 get early|In the top 100/).count()).toBe(0);
});

test('the clock of an offer is the one of the server, and closes it without a reload', async () => {
  const { page, open } = await browser.visit();
  await answerDrop(page, { offer: OFFER });
  await open(pathTo({ hasLink: true }));
  const digits = page.locator('.offer-digits');
  await expect.poll(() => digits.innerText()).toMatch(/^11\s*42\s*07$/);
  await page.clock.runFor(7000);
  await expect.poll(() => digits.innerText()).toMatch(/^11\s*42\s*00$/);
  const left = page.getByRole('status').filter({ hasText: 'left.' });
  await expect.poll(() => left.innerText()).toBe('More than 11 hours left.');
  await page.clock.setSystemTime(Date.now() + 3 * 3_600_000);
  await page.clock.runFor(1000);
  await expect.poll(() => digits.innerText()).toMatch(/^11\s*41\s*59$/);

  const soon = new Date(Date.parse(SERVER_NOW) + 3000).toISOString();
  await answerDrop(page, { offer: { expires_at: soon } });
  await open(pagePaths.landing);
  await open(pathTo({ hasLink: true }));
  await page.getByRole('button', { name: 'Accept in Medium' }).waitFor();
  await answerDrop(page, { offer: { state: 'expired', expires_at: soon } });
  await page.clock.runFor(3500);
  await page.getByRole('heading', { name: 'Time ran out' }).waitFor();
});

test('an act that is refused says why, and one that is lost can be tried again', async () => {
  const { page, open, expectNoise } = await browser.visit();
  await answerDrop(page, { offer: OFFER });
  await open(pathTo({ hasLink: true }));
  const accept = page.getByRole('button', { name: 'Accept in Medium' });
  for (const [path, button, status, detail] of [
    [apiPaths.changeOffer, 'Small', 409, 'No mask of size Small is left.'],
    [apiPaths.acceptOffer, 'Accept in Medium', 409, 'This offer has ended.'],
    [apiPaths.acceptOffer, 'Accept in Medium', 503, 'The shop has no code left. Try later.'],
  ] as const) {
    expectNoise(new RegExp(String(status)));
    answerPath(page, path, () => ({ status, json: { detail } }));
    await press(page, button);
    await message(page).getByText(detail).waitFor();
    await expect.poll(() => accept.isEnabled(), { message: detail }).toBe(true);
  }
  expectNoise(/ERR_FAILED/);
  answerPath(page, apiPaths.acceptOffer, () => 'break');
  await press(page, 'Accept in Medium');
  await message(page).getByText('Nothing is lost: please try again.').waitFor();
  answerPath(page, apiPaths.acceptOffer, () => ({
    json: { now: SERVER_NOW, member_id: MEMBER.id, offer: PASS },
  }));
  await press(page, 'Accept in Medium');
  const show = page.getByRole('button', { name: 'Show code' });
  await expect.poll(() => show.getAttribute('aria-expanded')).toBe('false');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('drop-title');
  await expect.poll(() => page.getByText(PASS.code ?? '').isVisible()).toBe(false);
  await expect.poll(() => page.locator('.pass-qr').isVisible()).toBe(false);
  await show.click();
  await page.getByText(PASS.code ?? '').waitFor();
  await page.locator('.pass-qr[data-drawn]').waitFor();
  await press(page, 'Hide code');
  await expect.poll(() => page.getByText(PASS.code ?? '').isVisible()).toBe(false);
});

test('the link of another member shows nothing of their pass', async () => {
  const { page, open } = await browser.visit();
  await answerDrop(page, { offer: OFFER });
  answerPath(page, apiPaths.offer, () => ({
    json: { now: SERVER_NOW, member_id: 'another', offer: PASS },
  }));
  await open(pathTo({ hasLink: true }));
  await page.getByText('That link belongs to another member').waitFor();
  await expect.poll(() => page.getByText(PASS.code ?? '').count()).toBe(0);
  await expect.poll(() => page.getByRole('button', { name: 'Accept in Medium' }).count()).toBe(0);
});

/** A member's page from the freeze to the end of a drop: each state, and the way through them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, pagePaths } from '../../contract/paths.ts';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser, type Visitor } from '../support/browser.ts';
import { MEMBER } from '../support/browser-api.ts';
import { joinLine } from '../support/browser-line.ts';
import { answerDrop, dropStates, OFFER, PASS, pathTo, SERVER_NOW } from '../support/drop-states.ts';
import { createMigratedPlace, type DatabasePlace } from '../support/engines.ts';
import { lookAtEach } from '../support/page-visits.ts';
import { answerPath } from '../support/paused-calls.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { isFull } from '../support/short-form.ts';

const browser = openTestBrowser();
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
const message = (page: Page) => page.locator('.offer-message');

/** Further states differ in words alone: contract/drop/place-words.test.ts. */
const TRIED_STATES = [
  'chosen',
  'offered',
  'offered-to-look-at',
  'pass',
  'pass-to-look-at',
  'pass-to-pay',
  'pass-used',
];

const pageStates = dropStates
  .filter(({ name }) => isFull || TRIED_STATES.includes(name))
  .map((state) => ({
    name: state.name,
    async reach({ page, open }: Visitor) {
      await answerDrop(page, state);
      await open(pathTo(state));
      await page.getByText(state.says).first().waitFor();
    },
  }));

test('every state is accessible and fits every width', async () => {
  const visitor = await browser.visit({ permissions: ['clipboard-write'] });
  await lookAtEach(visitor, pageStates, ({ name }) => expectAccessiblePage(visitor.page, name));
});

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
  for (const words of ['Your place in the line counts for the next one', 'Frozen at #12'])
    await page.getByText(words).waitFor();
  await expect.poll(() => openWords.count()).toBe(0);
  await page.getByText('Friends no longer change the order of this drop.').waitFor();
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

describe('on a server that runs a drop', () => {
  const OPERATOR_TOKEN = 'the-operator-token-of-the-tests-of-drop-pages';
  let place: DatabasePlace;
  let server: ServerProcess;
  let ids: string[];

  beforeAll(async () => {
    place = await createMigratedPlace('embedded');
    server = await startServer({
      DATA_DIR: place.dataDir,
      LIMITS: 'off',
      NODE_ENV: 'production',
      OPERATOR_TOKEN,
      SHOP_URL: 'https://shop.example.com/discount/',
    });
    ids = [];
    for (let count = 0; count < 4; count++) ids.push((await joinLine({ siteUrl: server.url })).id);
    for (const [size, stock] of Object.entries({ Small: 2, Medium: 1, Large: 1 }))
      await change('set-stock', { size, stock });
  });
  afterAll(async () => {
    await expect(server.stop()).resolves.toBe(0);
    await place.remove();
  });

  async function change(kind: string, input: object = {}): Promise<void> {
    const answer = await fetch(server.url + operatorPaths.changes, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${OPERATOR_TOKEN}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ kind, input, reason: 'launch day' }),
    });
    if (!answer.ok) throw new Error(`${kind}: ${await answer.text()}`);
  }

  function readLink(id: string): string {
    const folder = join(place.dataDir, 'mail');
    const mails = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes(id) && name.endsWith('.eml'))
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', ''));
    return /\/thank-you\/[\w-]+#offer=3D[\w-]+/.exec(mails.join())?.[0].replace('=3D', '=') ?? '';
  }

  const visit = () =>
    browser.visit({
      baseURL: server.url,
      hasRunningClock: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    });

  test('a member follows it to the pass; others decline, or look', async () => {
    const [first = '', second = '', third = '', fourth = ''] = ids;
    const { page, context, open } = await visit();
    await open(fillPath(pagePaths.status, first));
    await page.getByRole('button', { name: 'Copy invite link' }).waitFor();
    await expect.poll(() => page.locator('.drop-card').count()).toBe(0);
    await press(page, 'Choose sizes');
    await press(page, 'Large');
    await press(page, 'Small');
    await press(page, 'Any other');
    await page.getByText('Large first, then Small.').waitFor();
    await expectAccessiblePage(page);
    await press(page, 'Save my sizes');
    await page.getByText('Saved. You can change it').waitFor();
    const wish = await (await fetch(server.url + fillPath(apiPaths.sizes, first))).json();
    expect(wish).toMatchObject({ sizes: ['Large', 'Small'], takes_any: false });

    await change('freeze-drop', { first: 3 });
    await page.reload();
    await page.getByRole('heading', { name: 'The order is fixed' }).waitFor();
    await page.getByRole('link', { name: 'See your ticket in the draw' }).waitFor();

    await change('announce-draw', { by_rank: 4, drawn_among: 0, source: 'none' });
    await change('select-entrants');
    await page.reload();
    await page.getByRole('heading', { name: 'You are chosen' }).waitFor();

    await change('start-offers', { minutes: 720, time_zone: 'UTC' });
    for (const id of [first, second, third])
      await expect.poll(() => readLink(id), { timeout: 60_000 }).not.toBe('');
    await page.reload();
    await page.getByText('Open the link in your mail to answer').waitFor();
    await open(readLink(first));
    await page.getByRole('button', { name: 'Accept in' }).waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe('');
    const wrong = await browser.visit({ baseURL: server.url });
    await wrong.page.clock.setSystemTime(Date.now() + 3 * 3_600_000);
    await wrong.open(fillPath(pagePaths.status, first));
    await wrong.page.getByText('Time left').waitFor();
    await expect
      .poll(() => wrong.page.locator('.offer-digits').innerText())
      .toMatch(/^(12|11)\s*[05]/);

    await press(page, 'Accept in');
    await page.getByText('Opens the shop once. Not transferable.').waitFor();
    await press(page, 'Show code');
    const shown = page.locator('.pass-code code');
    await expect.poll(() => shown.innerText()).toMatch(/^[2-9A-Z]{4}(-[2-9A-Z]{4}){3}$/);
    const code = await shown.innerText();
    await expect
      .poll(() => page.getByRole('link', { name: 'Open the shop' }).getAttribute('href'))
      .toBe(`https://shop.example.com/discount/${code}`);
    await press(page, 'Copy the code');
    await page.getByText('The code is copied.').waitFor();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(code);
    // The tab keeps the link; another tab only looks.
    await page.reload();
    await press(page, 'Show code');
    await page.getByText(code).waitFor();
    const other = await context.newPage();
    await other.goto(fillPath(pagePaths.status, first));
    await other.getByText('Open the link in your mail to use this pass').waitFor();

    const decliner = await visit();
    await decliner.open(readLink(second));
    await press(decliner.page, 'Decline');
    await press(decliner.page, 'Keep my offer');
    await press(decliner.page, 'Decline');
    await press(decliner.page, 'Yes, decline');
    await decliner.page.getByRole('heading', { name: 'You declined' }).waitFor();

    const stranger = await visit();
    await stranger.open(readLink(third).replace(third, fourth));
    await stranger.page.getByText('That link belongs to another member').waitFor();
    await stranger.page.getByText('You are not on the list for this drop').waitFor();

    await change('close-drop');
    await stranger.page.reload();
    await stranger.page.getByRole('heading', { name: 'This drop is over' }).waitFor();
    await page.reload();
    await press(page, 'Show code');
    await page.getByText(code).waitFor();
  });
});

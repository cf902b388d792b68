/** The proof of work for joins, on a real server with raised risk. */
import type { Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { apiPaths, fillPath, IDEMPOTENCY_KEY_HEADER, pagePaths } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { CROWD_KEY, newNetwork } from '../http/raised-risk.ts';
import { openTestBrowser, type Visitor } from '../support/browser.ts';
import { newAddress } from '../support/browser-line.ts';
import { type OwnSite, openOwnSite } from '../support/own-site.ts';
import { readNoted, takeToast } from '../support/passing-states.ts';

const browser = openTestBrowser();
const JOIN = `**${apiPaths.join}`;
const STATUS_URL = /\/thank-you\/[0-9a-f-]{36}$/;
const { proofNote } = brand.copy;

let site: OwnSite;
let network: string;
beforeAll(async () => {
  site = await openOwnSite({ TRUST_PROXY: '127.0.0.1' });
  network = await makeRiskyNetwork();
});
afterAll(() => site.close());

function postJoin(
  network: string,
  email: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(site.url + apiPaths.join, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': network, ...headers },
    body: JSON.stringify({ email }),
  });
}

async function makeRiskyNetwork(): Promise<string> {
  const risky = newNetwork();
  // All but the first are counted and make no member.
  const key = { [IDEMPOTENCY_KEY_HEADER]: CROWD_KEY };
  const send = (count: number) => postJoin(risky, `crowd-${count}-${risky}@example.com`, key);
  for (let count = 0; (await send(count)).status !== 428; count += 1)
    if (count === 1000) throw new Error('The risk is never raised.');
  return risky;
}

type Risky = Visitor & {
  readonly sent: Request[];
  said(): Promise<string[]>;
};

async function visit(
  path: string,
  options: Parameters<typeof browser.visit>[0] = {},
): Promise<Risky> {
  const visitor = await browser.visit({
    baseURL: site.url,
    extraHTTPHeaders: { 'x-forwarded-for': network },
    hasRunningClock: true,
    ...options,
  });
  const { page } = visitor;
  visitor.expectNoise(/428/);
  const sent: Request[] = [];
  page.on(
    'request',
    (request) => void (request.url().endsWith(apiPaths.join) && sent.push(request)),
  );
  await page.goto(path);
  if (options.javaScriptEnabled === false) return { ...visitor, sent, said: async () => [] };
  await visitor.becomeLive();
  await page.getByLabel('Email').waitFor();
  return { ...visitor, sent, said: () => readNoted(page, '.field-progress') };
}

/** Lets this many joins pass and holds the next one until `release`. `proof` belongs to them. */
async function holdJoinAfter(
  page: Page,
  passing: number,
  proof?: string,
): Promise<{ readonly held: Promise<Route>; release(): void }> {
  const held = Promise.withResolvers<Route>();
  const released = Promise.withResolvers<void>();
  let seen = 0;
  await page.route(JOIN, async (route) => {
    seen += 1;
    if (seen > passing) {
      held.resolve(route);
      await released.promise;
    }
    const headers = route.request().headers();
    const isWorn = proof !== undefined && seen <= passing && headers['x-proof'] !== undefined;
    await route.continue(isWorn ? { headers: { ...headers, 'x-proof': proof } } : {});
  });
  return { held: held.promise, release: released.resolve };
}

async function newMember(): Promise<Member> {
  return (await (await postJoin(newNetwork(), newAddress())).json()) as Member;
}

const newInvite = async () => fillPath(pagePaths.invite, (await newMember()).referral_code);

describe('a visitor who needs a proof', () => {
  test('joins by keyboard alone, with one announcement, even where a proof expired', async () => {
    const { page, sent, said } = await visit(pagePaths.landing);
    const scripts = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => name.includes('solve-challenge')),
      );
    const { held, release } = await holdJoinAfter(page, 2, 'worn out');
    await page.getByLabel('Email').focus();
    await page.keyboard.type(newAddress());
    await expect.poll(() => scripts()).toEqual([]);
    await page.keyboard.press('Enter');
    await held;
    const status = page.getByRole('status').filter({ hasText: proofNote });
    await status.waitFor();
    await expect.poll(() => status.getAttribute('aria-live')).not.toBe('assertive');
    const button = page.getByRole('button', { name: 'JOINING...' });
    await expect.poll(() => button.getAttribute('aria-busy')).toBe('true');
    await expect.poll(() => page.locator('[data-form-message]').innerText()).toBe('');
    await expect.poll(() => readNoted(page, '.toast-text')).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => said()).toEqual(['', proofNote]);
    release();
    await page.waitForURL(STATUS_URL);
    await takeToast(page, brand.specified.joined);
    expect(sent.map((request) => request.headers()['x-proof'] !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
    await expect.poll(() => scripts()).toHaveLength(1);
    expect(new Set(sent.map((request) => request.headers()['idempotency-key'])).size).toBe(1);
  });

  test('sees why the browser cannot solve it, with address kept and field focused', async () => {
    for (const [path, title] of [
      [pagePaths.landing, 'Something went wrong'],
      [await newInvite(), 'Signup failed'],
    ] as const) {
      const { page, said } = await visit(path);
      await page.evaluate(() => Object.defineProperty(crypto, 'subtle', { value: undefined }));
      const email = newAddress();
      await page.getByLabel('Email').fill(email);
      await page.keyboard.press('Enter');
      const { description } = await takeToast(page, title);
      expect(description).toContain('The check does not run in this browser.');
      await page.locator('input[type="email"][aria-invalid="true"]:focus').waitFor();
      await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(email);
      await expect.poll(() => page.locator('[data-form-message]').innerText()).toBe(description);
      await expect.poll(() => said()).toEqual(['', proofNote, '']);
    }
  });
});

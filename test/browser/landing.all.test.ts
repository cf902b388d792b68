/** docs/behaviour.md 2.1: joining, and coming back. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { openTestBrowser, type Visitor } from '../support/browser.ts';
import { answerCall, answerStatus, holdCall, MEMBER } from '../support/browser-api.ts';
import { newAddress, readStatus } from '../support/browser-line.ts';
import { readToast, toastOf } from '../support/browser-toast.ts';
import { takeToast } from '../support/passing-states.ts';
import { tellStory } from '../support/tell-story.ts';

const browser = openTestBrowser();
const WELCOME = `Welcome back, ${brand.specified.memberName}`;

declare global {
  interface Window {
    layoutShift: number;
  }
}

const STATUS_URL = /\/thank-you\/[0-9a-f-]{36}$/;
const SUBMIT = { name: 'SECURE YOUR SPOT' };

const measure = (locator: Locator) =>
  locator.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top: top + scrollY, bottom: bottom + scrollY };
  });

const distanceOf = async (upper: Locator, lower: Locator) =>
  (await measure(lower)).top - (await measure(upper)).bottom;

const stepOne = tellStory('a visitor finds the form, joins, and may go back to it');
let one: Visitor;

stepOne(
  'the page shows brand, headline, scarcity and sizes, and nothing of a referral',
  async () => {
    one = await browser.visit();
    const { page } = one;
    await one.open(pagePaths.landing);
    await expect.poll(() => page.title()).toBe(brand.copy.landingTitle);
    await page.getByRole('link', { name: brand.name }).waitFor();
    await page.getByRole('button', { name: 'Music' }).waitFor();
    await page.getByRole('heading', { name: brand.copy.headline.join(' ') }).waitFor();
    await page.getByRole('heading', { name: 'ONLY 100 MASKS' }).waitFor();
    await expect
      .poll(() => page.getByRole('list', { name: 'Sizes' }).getByRole('listitem').allInnerTexts())
      .toEqual(['Small', 'Medium', 'Large']);
    await page.clock.runFor(900);
    await expect.poll(() => page.getByText('Referral Active').count()).toBe(0);
    await expect.poll(() => toastOf(page).count()).toBe(0);
  },
);

stepOne('JOIN THE WAITLIST focuses the e-mail field, by a click or Space', async () => {
  const { page } = one;
  const button = page.getByRole('button', { name: 'JOIN THE WAITLIST' });
  for (const press of [() => button.click(), () => button.press('Space')]) {
    await press();
    await page.locator('input[type="email"]:focus').waitFor();
    await expect.poll(() => page.url()).not.toContain('#');
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('');
    await page.evaluate(() => {
      scrollTo(0, 0);
      (document.activeElement as HTMLElement).blur();
    });
  }
});

stepOne('See it has a picture, the facts of the brand, and a size guide in cm', async () => {
  const { page } = one;
  await page.clock.runFor(3000);
  const section = page.getByRole('region', { name: brand.product.title });
  await section
    .getByRole('img', { name: /from the front, half turned and from the side/ })
    .waitFor();
  for (const { name, text } of brand.product.facts) {
    await section.getByRole('term').filter({ hasText: name }).waitFor();
    await section.getByRole('definition').filter({ hasText: text }).waitFor();
  }
  await section.getByText('18.2 to 19.8 cm').waitFor();
  await section.getByText(brand.product.measure).waitFor();
});

stepOne('the button is right below the field', async () => {
  const { page } = one;
  const [field, button] = [page.getByLabel('Email'), page.getByRole('button', SUBMIT)];
  await expect.poll(() => distanceOf(field, button)).toBeLessThanOrEqual(16);
});

stepOne('a visitor joins and sees their position', async () => {
  const { page } = one;
  const email = newAddress();
  await page.getByLabel('Email').fill(`  ${email} `);
  await page.getByRole('button', SUBMIT).click();
  await expect(readToast(page, 'Welcome')).resolves.toEqual({
    title: 'Welcome to the Ghost Code Network!',
    description: null,
    isDestructive: false,
  });
  await page.waitForURL(STATUS_URL);
  const member = await readStatus(page.url().split('/').at(-1) ?? '');
  expect(member).toMatchObject({ email, referral_count: 0 });
  await page.getByRole('heading', { name: `Ghost #${member.position} in line` }).waitFor();
});

stepOne('the back button leads to a form ready for another join', async () => {
  const { page } = one;
  await page.goBack();
  await page.getByRole('button', SUBMIT).waitFor();
  await expect.poll(() => page.getByRole('button', SUBMIT).isEnabled()).toBe(true);
  await page.goForward();
  await page.getByRole('heading', { name: /Ghost #\d+ in line/ }).waitFor();
});

const stepTwo = tellStory('a join is one call, stores the member, and is known on return');
let two: Visitor;

stepTwo('submitted three times at once it is one call, and says JOINING... meanwhile', async () => {
  two = await browser.visit();
  const { page } = two;
  await answerStatus(page);
  const join = await holdCall(page, 'join');
  await two.open(pagePaths.landing);
  await page.getByLabel('Email').fill(MEMBER.email);
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
  await page.locator('form').evaluate((form: HTMLFormElement) => {
    form.requestSubmit();
    form.requestSubmit();
    form.requestSubmit();
  });
  const button = page.getByRole('button', { name: 'JOINING...' });
  await button.waitFor();
  await expect.poll(() => button.isDisabled()).toBe(true);
  // Pale letters on a green that fades slowly could not be read.
  await expect
    .poll(() => button.evaluate((element) => getComputedStyle(element).transitionDuration))
    .toBe('0s');
  await expect.poll(() => page.getByLabel('Email').isDisabled()).toBe(true);
  join.release({ status: 201, json: MEMBER });
  await page.waitForURL(STATUS_URL);
  expect(join.seen.map(({ body }) => body)).toEqual([{ email: MEMBER.email, referred_by: null }]);
});

stepTwo('exactly two keys are in local storage: the id and the record as JSON', async () => {
  const readStored = async () => {
    const stored = await two.page.evaluate(() => Object.values<string>(localStorage));
    return stored.map((value) => (value === MEMBER.id ? value : JSON.parse(value)));
  };
  await expect.poll(readStored).toHaveLength(2);
  await expect.poll(readStored).toEqual(expect.arrayContaining([MEMBER.id, MEMBER]));
});

stepTwo(
  'a returning member is welcomed with a link, and soon with the present number',
  async () => {
    const { page, open, becomeLive } = two;
    await answerStatus(page, { position: 121 });
    await open(pagePaths.landing);
    await page.getByRole('link', { name: WELCOME, exact: true }).waitFor();
    await page.clock.runFor(3000);
    const welcome = page.getByRole('link', { name: 'Welcome back, Ghost #121' });
    const place = await welcome.getAttribute('href');
    await page.locator(`a.join-cue[href="${place}"]`, { hasText: 'See your place' }).click();
    await page.waitForURL(`**${fillPath(pagePaths.status, MEMBER.id)}`);
    await becomeLive();
    await page.getByRole('heading', { name: 'Ghost #121 in line' }).waitFor();
  },
);

stepTwo("'Not you?' forgets the member and focuses the field", async () => {
  const { page, open } = two;
  await open(pagePaths.landing);
  await page.getByRole('button', { name: 'Not you?' }).click();
  await page.getByText('Welcome back').waitFor({ state: 'detached' });
  await page.getByText('JOIN THE WAITLIST').waitFor({ state: 'attached' });
  await page.locator('input[type="email"]:focus').waitFor();
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
});

test.each([404, 500])(
  'a stored member whose status is answered by %i has no number',
  async (status) => {
    const { page, context, open, expectNoise } = await browser.visit();
    expectNoise(new RegExp(`${status}`));
    await context.addInitScript((member) => {
      localStorage.setItem('waitlist.member_id', member.id);
      localStorage.setItem('waitlist.member', JSON.stringify(member));
    }, MEMBER);
    await answerCall(page, 'status', { status, json: { detail: 'no' } });
    await open(pagePaths.landing);
    const link = page.getByRole('link', { name: WELCOME, exact: true });
    await link.waitFor();
    const answered = page.waitForResponse((response) => response.status() === status);
    await page.clock.runFor(3000);
    await (await answered).finished();
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(status === 404 ? 0 : 2);
    await link.waitFor();
  },
);

test('a late refusal appears between field and button without shifting the page', async () => {
  const { page, context, open, expectNoise } = await browser.visit({ hasRunningClock: true });
  expectNoise(/409/);
  await context.addInitScript(() => {
    window.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        window.layoutShift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift' });
  });
  const join = await holdCall(page, 'join');
  await open(pagePaths.landing);
  const [field, below] = [page.getByLabel('Email'), page.locator('.landing-meter')];
  await field.fill(MEMBER.email);
  await page.getByRole('button', SUBMIT).click();
  await page.getByRole('button', { name: 'JOINING...' }).waitFor();
  const before = await measure(below);
  await page.evaluate(() => (window.layoutShift = 0));
  join.release({ status: 409, json: { detail: 'This address is already registered.' } });
  await takeToast(page, 'Already registered');
  const message = page.locator('[data-form-message]');
  await expect.poll(() => distanceOf(field, message)).toBeGreaterThanOrEqual(0);
  await expect.poll(() => distanceOf(message, page.getByRole('button', SUBMIT))).toBeGreaterThan(0);
  await expect.poll(() => measure(below)).toEqual(before);
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await expect.poll(() => page.evaluate(() => window.layoutShift)).toBe(0);
});

test('an answer after the visitor has left changes nothing', async () => {
  const { page, open, becomeLive } = await browser.visit();
  const join = await holdCall(page, 'join');
  await open(pagePaths.landing);
  await page.getByLabel('Email').fill(MEMBER.email);
  await page.getByRole('button', SUBMIT).click();
  await expect.poll(() => join.seen.length).toBe(1);
  await page.getByRole('link', { name: brand.name }).click();
  await becomeLive();
  join.release({ status: 201, json: MEMBER });
  await page.getByRole('button', SUBMIT).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe(pagePaths.landing);
});

test('the form is ready again after going back before the status page has loaded', async () => {
  const { page, open } = await browser.visit();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/status-page-/, async (route) => {
    await held;
    await route.continue();
  });
  await open(pagePaths.landing);
  await page.getByLabel('Email').fill(newAddress());
  await page.getByRole('button', SUBMIT).click();
  await expect.poll(() => page.url()).toMatch(STATUS_URL);
  await page.goBack();
  await expect.poll(() => page.getByRole('button', SUBMIT).isEnabled()).toBe(true);
  release();
});

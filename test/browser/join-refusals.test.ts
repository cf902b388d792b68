/** docs/behaviour.md 5 and 8: what both join forms say when a join fails. */
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { openTestBrowser, type Visitor } from '../support/browser.ts';
import { answerCall, stopAnswering } from '../support/browser-api.ts';
import { joinLine } from '../support/browser-line.ts';
import { readToast, toastOf } from '../support/browser-toast.ts';
import { recordTimers, untilTimers } from '../support/page-timers.ts';
import type { Answer } from '../support/paused-calls.ts';
import { tellStory } from '../support/tell-story.ts';
import { isAll } from '../support/test-form.ts';

const browser = openTestBrowser();

const forms = {
  landing: { path: pagePaths.landing, button: 'SECURE YOUR SPOT' },
  invite: { path: fillPath(pagePaths.invite, 'GH05T1GH05'), button: 'Accept Invite & Join' },
} as const;

type Form = keyof typeof forms;

async function openForm(form: Form) {
  const visitor = await browser.visit();
  await answerCall(visitor.page, 'verifyReferral', {
    json: { valid: true, referrer_email: 'host@example.com' },
  });
  await recordTimers(visitor.context);
  await visitor.open(forms[form].path);
  await submitButton(visitor.page, form).waitFor();
  return visitor;
}

const submitButton = (page: Page, form: Form) =>
  page.getByRole('button', { name: forms[form].button });

async function expectReadyAgain(
  page: Page,
  form: Form,
  { email, message }: { email: string; message: string },
) {
  await page.locator('input[type="email"][aria-invalid="true"]:focus').waitFor();
  const field = page.getByLabel('Email');
  await expect.poll(() => field.inputValue()).toBe(email);
  await expect.poll(() => field.isEnabled()).toBe(true);
  await expect.poll(() => submitButton(page, form).isEnabled()).toBe(true);
  const messageId = await field.getAttribute('aria-describedby');
  await expect.poll(() => page.locator(`#${messageId}`).innerText()).toBe(message);
}

async function closeToast(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Close notification' }).click();
  await toastOf(page).waitFor({ state: 'detached' });
}

/** web/api/request.test.ts and web/toasts.test.ts have every other answer. */
const REFUSALS: readonly [name: string, answer: Answer, noise: RegExp, says: string][] = [
  ['a 500', { status: 500, json: { detail: 'The line rests.' } }, /500/, 'The line rests.'],
  ['a connection that breaks', 'break', /ERR_FAILED/, 'Please try again later.'],
];
/** After an answer that may have been lost, the same join is sent a second time. */
const SEND_AGAIN_AFTER_MS = 500;

const FORMS = ['landing', 'invite'] as const;
describe.each(isAll ? FORMS : FORMS.slice(0, 1))('the form of the %s page', (form) => {
  const step = tellStory('says why a join failed, keeps the address, and stores nothing');
  let visitor: Visitor;
  let page: Page;
  const title = form === 'landing' ? 'Something went wrong' : 'Signup failed';

  step('asks for an address instead of a blank, without a call, until the next edit', async () => {
    visitor = await openForm(form);
    page = visitor.page;
    const calls = await answerCall(page, 'join', 'silence');
    const field = page.getByLabel('Email');
    const message = 'Please enter your email to join the waitlist.';
    for (const typed of ['', '   ']) {
      await field.fill(typed);
      await submitButton(page, form).click();
      await expect(readToast(page, 'Email required')).resolves.toEqual({
        title: 'Email required',
        description: message,
        isDestructive: true,
      });
      await expectReadyAgain(page, form, { email: await field.inputValue(), message });
      await field.press('a');
      await page.locator('input:not([aria-invalid])[type="email"]').waitFor();
      await expect.poll(() => page.locator('[data-form-message]').innerText()).toBe('');
      await closeToast(page);
    }
    expect(calls).toEqual([]);
    stopAnswering(page, 'join');
  });

  step('leaves the check to the server, and says when a member is known', async () => {
    const known = await joinLine();
    visitor.expectNoise(/422/);
    await page.getByLabel('Email').fill('not an address');
    await submitButton(page, form).click();
    const { description } = await readToast(page, title);
    await expectReadyAgain(page, form, { email: 'not an address', message: description ?? '' });
    expect(description).toMatch(/e-?mail|address/i);

    visitor.expectNoise(/409/);
    // The browser encodes the quote as a part of the domain.
    await page.getByLabel('Email').fill('');
    await page.keyboard.insertText(`${known.email.toUpperCase()}”`);
    await expect.poll(() => page.getByLabel('Email').inputValue()).toContain('xn--');
    const email = await page.getByLabel('Email').inputValue();
    await submitButton(page, form).click();
    const message = 'This email is already on the waitlist. Check your email for your status link.';
    await expect(readToast(page, 'Already registered')).resolves.toEqual({
      title: 'Already registered',
      description: message,
      isDestructive: true,
    });
    await expectReadyAgain(page, form, { email, message });
    await closeToast(page);
  });

  step('shows every refusal, one after the other', async () => {
    for (const [name, answer, noise, description] of REFUSALS) {
      visitor.expectNoise(noise);
      const calls = await answerCall(page, 'join', answer);
      const email = `${name.replaceAll(' ', '-')}@example.com`;
      await page.getByLabel('Email').fill(email);
      await submitButton(page, form).click();
      if (answer === 'break') {
        await untilTimers(page, SEND_AGAIN_AFTER_MS, 1);
        await page.clock.runFor(SEND_AGAIN_AFTER_MS);
        await expect.poll(() => calls.length).toBe(2);
      }
      await expect(readToast(page, title), name).resolves.toEqual({
        title,
        description,
        isDestructive: true,
      });
      await expectReadyAgain(page, form, { email, message: description });
      await closeToast(page);
    }
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
  });
});

/** The webhooks screen: adding, testing, the log, replaying, editing, rotating, removing. */
import { beforeAll, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { EndpointWithSecret } from '../../contract/operator/webhooks/webhooks.ts';
import { fillPath } from '../../contract/paths.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { callOperator, visitConsole } from '../support/console-visit.ts';
import { takeToast } from '../support/passing-states.ts';

const browser = openTestBrowser();
const URL_OF_TESTS = 'https://hooks.invalid/path?token=very-secret';
const NOT_DELIVERED = { title: 'Not delivered', description: 'It failed: host not found.' };
let endpoint: EndpointWithSecret;

beforeAll(async () => {
  endpoint = await callOperator<EndpointWithSecret>(operatorPaths.webhooks, {
    url: URL_OF_TESTS,
    events: ['member.joined', 'member.left'],
    reason: 'a test',
  });
  await callOperator(fillPath(operatorPaths.testWebhook, endpoint.id), {});
});

test('the log shows what failed, and a delivery is replayed, on phone and desk', async () => {
  const { page } = await visitConsole(browser, { viewport: PHONE });
  await page.goto(`/console/webhooks?open=${endpoint.id}`);
  const sheet = page.getByRole('dialog', { name: 'https://hooks.invalid' });
  await sheet.getByText(URL_OF_TESTS).waitFor();
  const rows = sheet.getByRole('row', { name: /webhook\.test/ });
  let count = 1;
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    await expect.poll(() => rows.count()).toBe(count);
    for (const said of ['Given up', 'host not found'])
      await expect.poll(() => rows.first().textContent()).toContain(said);
    await rows.first().getByRole('button', { name: 'Replay webhook.test' }).click();
    await expect(takeToast(page)).resolves.toEqual(NOT_DELIVERED);
    await expect.poll(() => rows.count()).toBe(count + 1);
    await sheet.getByRole('button', { name: 'Send a test event' }).click();
    await expect(takeToast(page)).resolves.toEqual(NOT_DELIVERED);
    count += 2;
    await expect.poll(() => rows.count()).toBe(count);
    await expectAccessibleConsole(page);
  }

  await page.route('**/operator/api/webhooks', (route) =>
    route.fulfill({ json: { endpoints: [] } }),
  );
  await page.goto('/console/webhooks');
  await page.getByText('No webhooks yet').waitFor();
  await expectAccessibleConsole(page);
});

test('a failing webhook says when it is tried again, and its log keeps pace', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  const { secret, url, ...listed } = endpoint;
  let failures = 2;
  /** Milliseconds from each answer on. */
  let nextIn: number | null = 600_000;
  const nextAt = () => (nextIn === null ? null : new Date(Date.now() + nextIn).toISOString());
  const failing = () => ({
    ...listed,
    failing_since: listed.created_at,
    failures,
    waiting: 1,
    next_attempt_at: nextAt(),
  });
  await page.route('**/operator/api/webhooks', (route) =>
    route.fulfill({ json: { endpoints: [failing()] } }),
  );
  await page.route(`**/operator/api/webhooks/${endpoint.id}`, (route) =>
    route.fulfill({ json: { ...failing(), url } }),
  );
  await page.route('**/deliveries*', (route) =>
    route.fulfill({
      json: {
        entries: [
          {
            id: 'one',
            event_id: 'one',
            kind: 'member.joined',
            member_id: null,
            happened_at: listed.created_at,
            state: 'waiting',
            attempts: failures,
            last_attempt_at: listed.created_at,
            next_attempt_at: nextAt(),
            status: 503,
            cause: 'status 503',
            answer: null,
            duration_ms: 4,
          },
        ],
        next: null,
      },
    }),
  );
  await page.goto(`/console/webhooks?open=${endpoint.id}`);
  const sheet = page.getByRole('dialog', { name: 'https://hooks.invalid' });
  const facts = sheet.locator('.key-values');
  await expect.poll(() => facts.textContent()).toContain('2 attempts, of all events');
  await expect.poll(() => facts.textContent()).toContain('Next attemptin 10 minutes');
  await expectAccessibleConsole(page);
  failures = 3;
  nextIn = -1_000;
  await expect.poll(() => facts.textContent()).toContain('3 attempts, of all events');
  await expect.poll(() => facts.textContent()).toContain('Next attemptDue now');
  await sheet.getByRole('row', { name: /member\.joined.*3 attempts/ }).waitFor();
  nextIn = null;
  await expect.poll(() => facts.textContent()).toContain('Next attemptWith the next event');
});

test('it is edited, given a new secret, switched off and removed, each with a reason', async () => {
  const { page, expectNoise, allowNoise } = await visitConsole(browser, { viewport: DESKTOP });
  const added = await callOperator<EndpointWithSecret>(operatorPaths.webhooks, {
    url: 'https://changing.invalid/',
    events: ['member.joined'],
    reason: 'a test',
  });
  await page.goto(`/console/webhooks?open=${added.id}`);
  const more = page.getByRole('button', { name: 'More actions' });

  await more.click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit the webhook' });
  await form.getByLabel('URL').fill('http://changed.invalid/');
  await form.getByLabel('Reason').fill('moved');
  await form.getByRole('button', { name: 'Save' }).click();
  expectNoise(/422/);
  await form.getByText('The URL must begin with https://.').waitFor();
  await expectAccessibleConsole(page);
  await form.getByLabel('URL').fill('https://changed.invalid/');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog', { name: 'https://changed.invalid' }).waitFor();

  async function confirm(item: string, button: string): Promise<void> {
    await more.click();
    await page.getByRole('menuitem', { name: item }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByRole('button', { name: button }).click();
    await dialog.getByText('Please write why.').waitFor();
    await dialog.getByLabel('Reason').fill('a test');
    await dialog.getByRole('button', { name: button }).click();
  }
  await confirm('New secret', 'Make a new secret');
  const shown = page.getByRole('dialog', { name: 'The secret of this webhook' });
  const secret = shown.locator('code');
  await expect.poll(() => secret.textContent()).toMatch(/^whsec_/);
  await expect.poll(() => secret.textContent()).not.toBe(added.secret);
  await shown.getByRole('button', { name: 'I have kept it' }).click();
  await confirm('Switch off', 'Switch off');
  await page
    .getByRole('row', { name: /changed\.invalid/ })
    .getByText('Off')
    .waitFor();
  // A call about it may be under way.
  allowNoise(/404/);
  await confirm('Remove', 'Remove');
  await expect.poll(() => page.getByRole('row', { name: /changed\.invalid/ }).count()).toBe(0);
});

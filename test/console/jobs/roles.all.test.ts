/** Real operators: what a viewer is offered, the last owner, and a session that ends. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Operators } from '../../../contract/operator/access.ts';
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { EndpointWithSecret } from '../../../contract/operator/webhooks/webhooks.ts';
import type { Member } from '../../../contract/schemas.ts';
import { openTestBrowser } from '../../support/browser.ts';
import { openConsoleServer } from '../../support/console-server.ts';
import { follow } from '../../support/console-visit.ts';

const browser = openTestBrowser();
const server = openConsoleServer(browser);
const invite = (name: string, role: 'owner' | 'viewer') =>
  server.call(operatorPaths.operators, { name, email: `${name}@example.com`, role });

let ada: Member;
let campaign: Campaign;
let endpoint: EndpointWithSecret;

beforeAll(async () => {
  await invite('olga', 'owner');
  await invite('vera', 'viewer');
  ({ ada, campaign, endpoint } = await server.fill());
  await server.call(operatorPaths.changes, {
    kind: 'adjust-points',
    input: { member_id: ada.id, by: 2 },
    reason: 'a test of roles',
  });
  await server.call(operatorPaths.testWebhook.replace(':endpointId', endpoint.id), {});
});

async function signIn(name: string): Promise<Page> {
  const { page } = await server.visitSignedOut();
  await enter(page, name);
  return page;
}

const enter = (page: Page, name: string) => server.enter(page, `${name}@example.com`);

/** What each screen offers a viewer, beside the frame: looking, and their own way in. */
const OFFERED: readonly (readonly [path: () => string, sees: string, controls: RegExp])[] = [
  [() => '/overview', 'Members now', /^(Table|Chart|Show|Numbers|24|7|30|90)/],
  [() => '/members?q=ada', '1 shown', /^(Filter|Position|Friends|Joined|Remove filter|Clear)/],
  [() => `/members?open=${ada.id}`, 'Their page', /^(Filter|Position|Friends|Joined|Close|Copy)/],
  [() => '/stock', 'the shoot', /^(Size|Masks|Allocated)/],
  [() => '/drop', 'Owners take the steps', /^$/],
  [() => '/offers', 'No offers yet', /^$/],
  [() => '/rewards', 'gets there', /^$/],
  [() => '/activity', 'got 2 points', /^$/],
  [() => '/activity?open=1', 'Why', /^(Close|Copy)/],
  [() => '/campaigns', 'Soon', /^$/],
  [() => `/campaigns?open=${campaign.campaign}`, 'Confirmed', /^All campaigns$/],
  [() => '/campaigns?open=new', 'For owners only', /^All campaigns$/],
  [() => '/webhooks', 'hooks.invalid', /^$/],
  [() => `/webhooks?open=${endpoint.id}`, 'Given up', /^(Close|Copy)/],
  [() => '/import', 'For owners only', /^$/],
  [() => '/door', 'no such screen', /^$/],
  [() => '/settings', 'This one', /^(Sign out|Add a passkey|End the session)/],
];

test('a viewer is offered nothing that writes, on any screen, and nothing is refused', async () => {
  const page = await signIn('vera');
  const wrong: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
  });
  for (const [path, sees, controls] of OFFERED) {
    await follow(page, path());
    await page.getByText(sees).first().waitFor();
    const offered = page.locator(
      ':is(main, .sheet) :is(button, textarea, input[type=file]):enabled',
    );
    for (const control of await offered.all()) {
      const name =
        (await control.getAttribute('aria-label')) ?? (await control.textContent())?.trim() ?? '';
      if (!controls.test(name)) wrong.push(`${path()} offers "${name}"`);
    }
    const idle = await page.locator('td[data-action=true]:not(:has(button))').count();
    if (idle > 0) wrong.push(`${path()} has a column for actions, and none`);
  }
  expect(wrong).toEqual([]);
});

test('an owner is offered what a viewer is not, and a link leads back to its place', async () => {
  const page = await signIn('olga');
  for (const [path, name] of [
    ['/members?q=ada', 'Remove these'],
    ['/members?q=ada', 'Export these'],
    [`/members?open=${ada.id}`, 'Add a note'],
    ['/webhooks', 'Add a webhook'],
    [`/campaigns?open=${campaign.campaign}`, 'Send to the line'],
  ] as const) {
    await follow(page, path);
    await page.getByRole('button', { name }).waitFor();
  }
  await follow(page, '/import');
  await page.getByLabel('Choose a file, or drop one here').waitFor();

  // The session ends under the hands: a link signs in, at the same place.
  await follow(page, `/members?q=ada&open=${ada.id}`);
  await page.locator('.sheet').getByRole('button', { name: 'Change', exact: true }).click();
  await page.context().clearCookies();
  await page.getByRole('menuitem', { name: 'Adjust points' }).click();
  await page.getByRole('textbox', { name: 'Points' }).fill('3');
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  await enter(page, 'olga');
  await page.getByRole('dialog', { name: 'ada@example.com' }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe(`?q=ada&open=${ada.id}`);
});

test('two owners take the role of each other: one stays, and the other reads why', async () => {
  await invite('odile', 'owner');
  const [olga, odile] = [await signIn('olga'), await signIn('odile')];
  for (const page of [olga, odile]) {
    await follow(page, '/settings');
    await page.getByRole('row', { name: /odile/ }).waitFor();
  }
  const remove = async (page: Page, name: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
  };
  await remove(olga, 'odile');
  await remove(odile, 'olga');
  await olga.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.poll(() => olga.getByRole('row', { name: /odile/ }).count()).toBe(0);
  // Her session ended with her: she is asked to sign in, and the only owner stays.
  await odile.getByRole('button', { name: 'Remove', exact: true }).click();
  await odile.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  await remove(olga, 'olga');
  await olga.getByRole('button', { name: 'Remove', exact: true }).click();
  await olga.getByRole('alert').filter({ hasText: 'This is the only owner' }).waitFor();
  const { operators } = await server.call<Operators>(operatorPaths.operators);
  expect(operators.filter(({ role }) => role === 'owner').map(({ name }) => name)).toEqual([
    'olga',
  ]);
});

/** Another tab signs in and shares its cookies; then the operator looks at this one again. */
async function enterBeside(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  const token = new URL(await server.makeLink(`${name}@example.com`)).hash.slice(1);
  const answer = await page.context().request.post(operatorPaths.signIn, { data: { token } });
  expect(answer.status()).toBe(200);
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
}

test('a sign-in in another tab goes on here, with what the same operator has written', async () => {
  const page = await signIn('olga');
  await follow(page, '/stock');
  await page.getByText('the shoot').waitFor();
  await page.context().clearCookies();
  await follow(page, '/members');
  await enterBeside(page, 'olga');
  await page.getByRole('row', { name: /ada@example\.com/ }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/console/members');

  await follow(page, '/campaigns?open=new');
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.fill('The first hundred');
  await page.context().clearCookies();
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  await enterBeside(page, 'olga');
  await subject.waitFor();
  await expect.poll(() => subject.inputValue()).toBe('The first hundred');

  await follow(page, `/members?open=${ada.id}`);
  await page.locator('.sheet').getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Adjust points' }).click();
  const reason = page.getByRole('textbox', { name: 'Reason' });
  await reason.fill('brought a newspaper');
  await page.context().clearCookies();
  await page.getByRole('textbox', { name: 'Points' }).fill('4');
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  await expect.poll(() => page.locator('.sheet').isVisible()).toBe(false);
  await enterBeside(page, 'olga');
  await reason.waitFor();
  await expect.poll(() => reason.inputValue()).toBe('brought a newspaper');

  await page.context().clearCookies();
  await page.getByRole('textbox', { name: 'Points' }).fill('5');
  await enterBeside(page, 'vera');
  await page.locator('.sheet').waitFor();
  await expect.poll(() => reason.count()).toBe(0);
});

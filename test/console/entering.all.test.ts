/** Entering the console and who may: links, mail, passkeys, operators, sessions, keys. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { AuditPage } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow } from '../support/console-visit.ts';
import { takeToast } from '../support/passing-states.ts';

const browser = openTestBrowser();
const server = openConsoleServer(browser);
/** Without any operator. */
const fresh = openConsoleServer(browser);

beforeAll(async () => {
  const owner = { name: 'Ada', email: 'ada@example.com', role: 'owner' };
  await server.call(operatorPaths.operators, owner);
});

const visit = async (viewport = DESKTOP, baseURL = server.origin()) =>
  (await server.visitSignedOut({ viewport, baseURL })).page;

/** Summaries of the audit log, newest first. */
async function listSummaries(): Promise<string[]> {
  const { entries } = await server.call<AuditPage>(operatorPaths.changes);
  return entries.map(({ summary }) => summary);
}

const signIn = (page: Page, email = 'ada@example.com') => server.enter(page, email);

/** The operator makes the key from a console of their own. */
async function makeKeyOf(email: string, key: object): Promise<void> {
  const origin = server.origin();
  const post = async (path: string, body: object, cookie = '') => {
    const headers = { origin, cookie, 'content-type': 'application/json' };
    return await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const token = new URL(await server.makeLink(email)).hash.slice(1);
  const entered = await post(operatorPaths.signIn, { token });
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0];
  const { status } = await post(operatorPaths.keys, key, cookie);
  if (status !== 201) throw new Error(`The key is not made: ${status}`);
}

/** On whatever screen is the first. */
async function untilInside(page: Page): Promise<void> {
  await page.waitForURL(({ pathname }) => !/^\/console(\/sign-in)?$/.test(pathname));
}

async function openSettings(page: Page): Promise<void> {
  await follow(page, '/settings');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
}

const tableRow = (page: Page, table: string, text: RegExp | string) =>
  page.getByRole('table', { name: table }).getByRole('row', { name: text });

test('the link of a start makes its holder the owner, and a mailed one signs in', async () => {
  const readLink = () => /http:\S+\/console\/sign-in#\S{43}/.exec(fresh.output())?.[0] ?? '';
  await expect.poll(readLink).not.toBe('');
  const link = readLink();
  const page = await visit(PHONE, fresh.origin());
  await page.goto(link);
  await page.getByText('Your link works once').waitFor();
  await expectAccessibleConsole(page);
  await page.getByRole('button', { name: 'Sign in' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Your name').waitFor();
  await expectAccessibleConsole(page);
  await page.keyboard.type('Ada');
  await page.keyboard.press('Tab');
  await page.keyboard.type('ada@example.com');
  await page.keyboard.press('Enter');
  await untilInside(page);
  await expect.poll(() => page.url()).not.toContain('#');

  const late = await visit(PHONE, fresh.origin());
  await late.goto(link);
  await late.getByRole('button', { name: 'Sign in' }).click();
  await late.getByText('This link was used before').waitFor();
  await late.getByRole('link', { name: 'Sign in another way' }).click();
  await late.getByRole('button', { name: 'Mail me a link' }).waitFor();
  await expectAccessibleConsole(late);
  await late.getByLabel('E-mail address').fill('ada@example.com');
  await late.getByRole('button', { name: 'Mail me a link' }).click();
  await late.getByText('If an operator has this address').waitFor();
  const folder = join(fresh.dataDir(), 'mail', 'operator');
  const readMail = () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', ''))
      .join();
  await expect.poll(readMail).toContain('To: ada@example.com');
  await late.goto(/http:\S+sign-in#[\w-]{43}/.exec(readMail())?.[0] ?? '');
  await late.getByRole('button', { name: 'Sign in' }).click();
  await untilInside(late);
});

test('a passkey is added, named, used and removed', async () => {
  const page = await visit();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await signIn(page);
  await openSettings(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Laptop');
  await expectAccessibleConsole(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await tableRow(page, 'Your passkeys', /Laptop.*Not yet/).waitFor();

  // The same device again.
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Again');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('The passkey was not used.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Rename Laptop' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Old laptop');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await tableRow(page, 'Your passkeys', /Old laptop/).waitFor();

  const leaveAndEnter = async () => {
    const leave = page.getByRole('button', { name: 'Sign out' });
    await leave.waitFor();
    // Whatever the old page still asks, it is the new one that lets people in.
    await page.route('**/operator/api/sessions', () => {});
    await page.evaluate(() => Object.assign(window, { isOld: true }));
    await leave.click();
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    await expect.poll(() => page.evaluate(() => 'isOld' in window)).toBe(false);
    await page.unroute('**/operator/api/sessions');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
  };
  for (let time = 0; time < 2; time++) {
    await leaveAndEnter();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
  }
  await expect
    .poll(() => tableRow(page, 'Your passkeys', /Old laptop/).textContent())
    .not.toContain('Not yet');
  await page.getByRole('button', { name: 'Remove Old laptop' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('No passkeys yet').waitFor();
  await leaveAndEnter();
  await page.getByText('This passkey is not accepted here.').waitFor();

  const ofPasskeys = (await listSummaries()).filter((summary) => /passkey/.test(summary));
  expect(ofPasskeys).toEqual([
    'Removed the passkey "Old laptop".',
    expect.stringMatching(/^Signed in with a passkey \(.+\)\.$/),
    expect.stringMatching(/^Signed in with a passkey \(.+\)\.$/),
    'Renamed the passkey "Laptop" to "Old laptop".',
    'Added the passkey "Laptop".',
  ]);
});

test('a demotion and a removal list the keys that end, with when they were last used', async () => {
  const vic = { name: 'Vic', email: 'vic@example.com', role: 'owner' };
  await server.call(operatorPaths.operators, vic);
  const page = await visit();
  await signIn(page);
  await makeKeyOf(vic.email, { name: 'the shop', scopes: ['redeem'] });
  await openSettings(page);
  await tableRow(page, 'API keys', /the shop.*For good.*Not yet.*Vic/).waitFor();
  const begin = async (item: string) => {
    await page.getByRole('button', { name: 'Actions for Vic' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('dialog').getByText('the shop, not used yet').waitFor();
    await expectAccessibleConsole(page);
  };
  await begin('Make a viewer');
  await page.getByRole('button', { name: 'Make a viewer', exact: true }).click();
  await tableRow(page, 'Operators', /Vic.*Viewer/).waitFor();
  await tableRow(page, 'API keys', /the shop.*no owner/).waitFor();
  await begin('Remove');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.poll(() => tableRow(page, 'API keys', /the shop/).count()).toBe(0);
});

test('an owner ends a session, makes a key, and invites; the last owner stays', async () => {
  const page = await visit();
  const phone = await visit(PHONE);
  await signIn(page);
  await signIn(phone);
  await openSettings(phone);
  await tableRow(phone, 'Your sessions', /This one/).waitFor();
  await expectAccessibleConsole(phone);
  await openSettings(page);
  await tableRow(page, 'Your sessions', /This one/).waitFor();
  const others = page.getByRole('button', { name: /^End the session on Chrome/ });
  await expect.poll(() => others.count()).toBeGreaterThan(0);
  for (let left = await others.count(); left > 0; left -= 1) {
    await others.first().click();
    await expect.poll(() => others.count()).toBe(left - 1);
  }
  await phone.reload();
  await phone.getByRole('heading', { name: 'Sign in to the console' }).waitFor();

  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('nightly export');
  await page.getByLabel(/^Ends/).fill('2099-01-31T12:00');
  await page.getByLabel(/^Export/).check();
  await page.getByRole('button', { name: 'Make the key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your new key' });
  await expect.poll(() => dialog.locator('code').textContent()).toMatch(/^waitlist_key_[\w-]{43}$/);
  const key = (await dialog.locator('code').textContent()) ?? '';
  await expectAccessibleConsole(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await tableRow(page, 'API keys', /nightly export.*read, export.*Until 31 Jan 2099/).waitFor();
  await expect.poll(() => page.content()).not.toContain(key);
  const ask = async () => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${server.origin()}/operator/api/counts`, { headers })).status;
  };
  await expect.poll(ask).toBe(200);
  await page.getByRole('button', { name: 'Revoke nightly export' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('No API keys').waitFor();
  await expect.poll(ask).toBe(401);

  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Vera');
  await page.getByLabel('E-mail address').fill('vera@example.com');
  await expectAccessibleConsole(page);
  await page.keyboard.press('Enter');
  await tableRow(page, 'Operators', /Vera.*Viewer/).waitFor();

  const act = async (name: string, item: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await act('Ada', 'Make a viewer');
  await expect(takeToast(page, 'Not changed')).resolves.toMatchObject({
    description: expect.stringContaining('the only owner'),
  });
  await act('Vera', 'Make an owner');
  await tableRow(page, 'Operators', /Vera.*Owner/).waitFor();
  await act('Vera', 'Make a viewer');
  await tableRow(page, 'Operators', /Vera.*Viewer/).waitFor();

  await signIn(phone, 'vera@example.com');
  await openSettings(phone);
  await tableRow(phone, 'Operators', /Ada/).waitFor();
  await expect.poll(() => phone.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  await expect.poll(() => phone.getByRole('heading', { name: 'API keys' }).count()).toBe(0);
  await expectAccessibleConsole(phone);

  await act('Vera', 'Remove');
  await page.getByRole('dialog').getByText('Their sessions end at once').waitFor();
  await expectAccessibleConsole(page);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.poll(() => tableRow(page, 'Operators', /Vera/).count()).toBe(0);
  await phone.reload();
  await phone.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
});

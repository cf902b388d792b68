/** The screens of launch day: a whole drop from the freeze to the close, offers, and rewards. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { OfferPage } from '../../contract/operator/drop/listed-offers.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { SECRET_KEY, tokenOf } from '../http/mail-links.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow, pressInTurn } from '../support/console-visit.ts';
import { holdToasts } from '../support/passing-states.ts';
import { confirmStep, REASON, take, writeAboutIt } from './take-step.ts';

const browser = openTestBrowser();
const site = openConsoleServer(browser, { SECRET_KEY });
let ada: Member;

beforeAll(async () => {
  ada = await site.joinLine('ada');
  await site.call(apiPaths.confirm, { token: tokenOf(ada.id, 'confirm') });
  for (const name of ['grace', 'edith', 'mary']) await site.joinLine(name, ada.referral_code);
  await site.confirmEverybody();
  for (const [size, stock] of Object.entries({ Small: 2, Medium: 0, Large: 0 }))
    await site.call(operatorPaths.changes, {
      kind: 'set-stock',
      input: { size, stock },
      reason: REASON,
    });
});

/** The text that an input of the browser takes, in UTC. */
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);

const isAt = (page: Page, step: string) =>
  expect.poll(() => page.locator('[aria-current=step] h2').textContent()).toBe(step);

/** Before anything happened each screen says what will be there. */
async function lookBefore(page: Page): Promise<void> {
  await page.setViewportSize(PHONE);
  await follow(page, '/drop');
  await page.getByText('Nothing is public yet').waitFor();
  await isAt(page, 'Open');
  await expectAccessibleConsole(page);
  await follow(page, '/offers');
  await page.getByRole('link', { name: 'Go to the drop' }).waitFor();
  await expectAccessibleConsole(page);
}

async function chooseTill(page: Page): Promise<void> {
  await follow(page, '/drop');
  await page.getByRole('button', { name: 'Choose the till' }).click();
  const dialog = page.locator('dialog[open]');
  // The dialog grows when its preview is there, and a click meanwhile would miss.
  await dialog.getByText('A link sells the masks').waitFor();
  await dialog.getByRole('radio', { name: 'Stripe' }).check();
  await dialog.getByLabel('Price').fill('12.50');
  await dialog.getByLabel('Countries').fill('DE');
  await dialog.getByText('Enter the key and the signing secret').waitFor();
  await dialog.getByLabel('Currency').fill('JPY');
  await dialog.getByText('Write the price as in 99, and').waitFor();
  await dialog.getByLabel('Price').fill('9900');
  await dialog.getByLabel('Countries').fill('DE AT');
  await dialog.getByLabel('Secret or restricted key').fill('sk_test_0123456789');
  await dialog.getByText('Enter the key and the signing secret').waitFor();
  const stored = () => page.evaluate(() => JSON.stringify(localStorage));
  await expect.poll(stored).toContain('9900');
  await expect.poll(stored).not.toContain('sk_test');
  await expectAccessibleConsole(page);
  await dialog.getByRole('radio', { name: 'A link' }).check();
  await dialog.getByLabel('Link to the shop').fill('https://shop.example.com/c/{code}');
  await confirmStep(page, /A link sells the masks/, 'Choose');
  await page.getByRole('button', { name: 'Test the till' }).click();
  await page.getByText('A pass leads to https://shop.example.com/c/ABCD-2345').waitFor();
  await page.getByText('Nobody says which passes are paid').waitFor();
  await expectAccessibleConsole(page);
}

/** A step is planned, published, and taken back. */
async function planStep(page: Page): Promise<void> {
  await page.setViewportSize(DESKTOP);
  await follow(page, '/drop');
  await page.getByRole('button', { name: 'Plan a step' }).click();
  await page.getByRole('menuitem', { name: 'Freeze the line' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('Choose when the server does so.').waitFor();
  await dialog.getByRole('textbox', { name: 'Time' }).fill(tomorrow());
  await confirmStep(page, /The first 2 members of 4 are frozen/, 'Schedule');
  const row = page.getByRole('row', { name: /Freeze the line/ });
  await expect.poll(() => row.textContent()).toContain('Scheduled');
  await take(page, 'Publish the times', /./, 'Publish');
  await page.getByText('Shown on the site', { exact: true }).waitFor();
  await take(page, 'Take back: Freeze the line', /No longer scheduled/, 'Take back');
  await row.getByText('Taken back').waitFor();
}

/** By keys alone, thawed by the undo, and frozen again. */
async function freeze(page: Page): Promise<void> {
  await follow(page, '/overview');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await pressInTurn(page, 'g', 'd');
  await page.getByRole('button', { name: 'Freeze the line' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('The first 2 members of 4 are frozen').waitFor();
  await expectAccessibleConsole(page);
  await page.keyboard.type(REASON);
  const releaseToasts = await holdToasts(page);
  await page.keyboard.press('Control+Enter');
  await isAt(page, 'Frozen');
  await page.keyboard.press('u');
  await dialog.waitFor();
  await releaseToasts();
  await page.keyboard.press('Control+Enter');
  await isAt(page, 'Open');
  await page.getByRole('button', { name: 'Freeze the line' }).click();
  await dialog.getByText('A ticket costs an address alone, which can be made up.').waitFor();
  await dialog.getByLabel('Joins stop').check();
  await dialog.getByLabel('Give one more ticket for each lost drop').check();
  await dialog.getByText('0 entrants have lost drops, and one more ticket').waitFor();
  await dialog.getByText('2 members are left out: a domain that is no known').waitFor();
  await dialog.getByLabel('Mail domains of which all take part').fill('example.com');
  await confirmStep(page, /Joining is paused\./, 'Freeze');
  await isAt(page, 'Frozen');
  for (const name of ['Copy the hash of the list', 'Undo the freeze'])
    await page.getByRole('button', { name }).waitFor();
  await writeAboutIt(page, 'The line is frozen', /the list is public, without addresses/);
}

/** The draw is announced with a seed and made, and the offers start, on a phone. */
async function drawAndOffer(page: Page): Promise<void> {
  await page.setViewportSize(PHONE);
  await follow(page, '/drop');
  await page.getByRole('button', { name: 'Announce the draw' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('Choose when the draw is.').waitFor();
  await dialog.getByText('A position among the first costs a cheat at most 10 EUR').waitFor();
  await dialog.getByLabel('Randomness').selectOption('seed');
  await dialog.getByText('All of them are drawn among the first 4 entrants').waitFor();
  await dialog.getByLabel('Masks by rank').fill('2');
  await dialog.getByText('All of them go by rank.').waitFor();
  await dialog.getByLabel('Masks by rank').fill('1');
  await dialog.getByText('1 of them go by rank, 1 are drawn among the first 4').waitFor();
  await expectAccessibleConsole(page);
  await confirmStep(page, /This is public at once/, 'Announce');
  await page.getByText('1 of 2 masks by rank, 1 drawn among the first 4.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Undo the freeze' }).count()).toBe(0);
  await writeAboutIt(page, 'The draw is announced', /1 of 2 masks by rank, 1 drawn among/);
  await follow(page, '/drop');
  await take(page, 'Make the draw', /2 entrants are chosen of 4/, 'Make the draw');
  await isAt(page, 'Selected');
  await page.getByRole('button', { name: 'Amend the numbers' }).click();
  await dialog.getByText('Fill in “Masks given after all”.').waitFor();
  await dialog.getByLabel('Masks given after all').fill('1');
  await dialog.getByLabel('Why, in words that everybody reads').fill('One was torn.');
  await confirmStep(page, /^1 mask of size Small is given, instead of 2\.$/, 'Amend in public');
  await site.call(operatorPaths.changes, {
    kind: 'amend-draw',
    input: { size: 'Small', masks: 2, public_reason: 'It was mended.' },
    reason: REASON,
  });
  await page.getByRole('button', { name: 'Start the offers' }).click();
  await dialog.getByLabel('Quiet hours').uncheck();
  await confirmStep(page, /There are no quiet hours/, 'Start the offers');
  await isAt(page, 'Offering');
  await expectAccessibleConsole(page);
}

/** Offers are listed, found and counted; a pass is cancelled and issued again. */
async function handleOffers(page: Page): Promise<void> {
  await expect
    .poll(() => site.call<OfferPage>(operatorPaths.listOffers, {}), { timeout: 60_000 })
    .toMatchObject({ offers: [{ state: 'open' }, { state: 'open' }] });
  await page.setViewportSize(DESKTOP);
  await follow(page, '/offers');
  const rows = page.getByRole('table', { name: 'Offers', exact: true }).locator('tr[data-row]');
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByLabel('Find a member').fill('ADA@');
  await expect.poll(() => rows.count()).toBe(1);
  await expect.poll(() => rows.first().textContent()).toContain('ada@example.com');
  await rows.first().click();
  await page.getByRole('dialog', { name: 'ada@example.com' }).getByText('Small').waitFor();
  await expectAccessibleConsole(page);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByLabel('State').selectOption('cancelled');
  await page.getByText('No offer matches').waitFor();
  await page.getByRole('button', { name: 'Show all offers' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  const perSize = page.getByRole('table', { name: 'Offers per size' });
  const small = perSize.getByRole('row', { name: /Small/ });
  await expect
    .poll(() => small.getByRole('cell').allTextContents())
    .toEqual(['Small', '2', ...Array.from({ length: 8 }, () => '0')]);

  const token = tokenOf(ada.id, 'offer');
  await site.call(apiPaths.acceptOffer, { token });
  // The mask of a cancelled pass would go to the next before it is issued again.
  await follow(page, '/offers?state=accepted');
  await take(page, 'Pause offering', /no open offer ends/, 'Pause');
  await page.getByText(/^Offering is paused since /).waitFor();
  await rows.first().click();
  await take(page, 'Swap the pass', /1 pass gets another code/, 'Swap');
  const { offers } = await site.call<OfferPage>(operatorPaths.listOffers, { state: 'accepted' });
  await page.locator('.sheet').getByText(`${offers[0]?.code}`).waitFor();
  const dialog = page.locator('dialog[open]');
  await page.getByRole('button', { name: 'Cancel the pass' }).press('Enter');
  await dialog.getByLabel('What the member is told').fill('You wrote that you do not want it.');
  await confirmStep(page, /is dead for good/, 'Cancel the pass');
  await follow(page, '/offers?state=cancelled');
  await rows.first().click();
  await take(page, 'Issue another pass', /with a new code/, 'Issue');
  await follow(page, '/overview');
  const counts = page.getByRole('region', { name: 'All sizes' });
  await expect.poll(() => counts.textContent()).toMatch(/^Offered1Accepted1/);
  await take(page, 'Resume offering', /Masks are offered and offers end again/, 'Resume');
  await follow(page, '/offers');
  await expect.poll(() => rows.count()).toBe(4);
  await take(page, 'Tell the others', /are mailed that no mask came/, 'Tell them');
  await page.getByText(/^The others (were|are being) told\.$/).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Offers and passes' }).click();
  await expect.poll(async () => (await download).suggestedFilename()).toBe('drop-offers.csv');
}

/** Orders of the shop are compared with the passes, and applied. */
async function compareOrders(page: Page): Promise<void> {
  const { offers } = await site.call<OfferPage>(operatorPaths.listOffers, { state: 'accepted' });
  await follow(page, '/offers');
  await page.getByRole('button', { name: 'Compare orders' }).click();
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'orders.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `code,order,email,state\n${offers[0]?.code},#1001,ada@example.com,paid\nNONE,#1002,,paid\n`,
    ),
  });
  const sheet = page.getByRole('dialog', { name: 'Orders of the shop' });
  await sheet.getByText('Unknown code', { exact: true }).waitFor();
  await expectAccessibleConsole(page);
  await take(page, 'Apply', /1 pass/, 'Apply');
  await follow(page, '/offers?state=paid');
  await page.getByRole('row', { name: /ada@example\.com.*Paid, no address/ }).waitFor();
}

/** A sheet names sizes, offers and rewards of its member. */
async function lookAtMember(page: Page): Promise<void> {
  await page.setViewportSize(PHONE);
  await follow(page, `/members?open=${ada.id}`);
  const sheet = page.getByRole('dialog', { name: 'ada@example.com' });
  const given = sheet.getByRole('list', { name: 'Offers and rewards' }).getByRole('listitem');
  await expect.poll(() => given.count()).toBe(4);
  await expect
    .poll(() => given.first().textContent())
    .toMatch(/^Mask of drop 1, Small.*Paid, no address$/);
  await expect.poll(() => given.last().textContent()).toContain('Owed');
  await sheet.getByText('#1 of drop 1, 1 in the draw order, chosen for Small').waitFor();
}

/** A reward gets a budget, is asked about, and marked as sent, with an undo. */
async function reward(page: Page): Promise<void> {
  await page.setViewportSize(PHONE);
  await follow(page, '/rewards');
  await page.getByText('gets there: 1 reward.').waitFor();
  await page.getByRole('row', { name: /ada@example\.com/ }).waitFor();
  await expectAccessibleConsole(page);
  await page.getByRole('button', { name: 'Set the budget' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByLabel('Rewards').fill('200');
  await dialog.getByLabel('Cost of one').fill('12.50');
  await confirmStep(page, /12\.50/, 'Set the budget');
  await page.getByText('gets there: 1 reward, at a cost of 12.50.').waitFor();
  await page.getByText('1 of 200').waitFor();
  await take(page, 'Ask where to send', /1 member is mailed a link/, 'Ask');
  await page.getByLabel('Asked', { exact: true }).check();
  // One button for the tier, and another for what is selected.
  const marking = page.getByRole('button', { name: /^Mark/ });
  await expect.poll(() => marking.allTextContents()).toEqual(['Mark all as sent']);
  await page.getByRole('checkbox', { name: 'Select ada@example.com' }).check();
  await expect.poll(() => marking.allTextContents()).toEqual(['Mark as sent']);
  const selection = page.getByRole('region', { name: 'Selection' });
  await selection.getByRole('button', { name: 'Mark as sent' }).click();
  const releaseToasts = await holdToasts(page);
  await confirmStep(page, /1 reward of tier 1 is marked as sent/, 'Mark as sent');
  await page.getByText('Nobody is being asked').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await releaseToasts();
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('row', { name: /ada@example\.com/ }).waitFor();
}

/** The drop is closed, and the next one begins. */
async function close(page: Page): Promise<void> {
  await page.setViewportSize(DESKTOP);
  await follow(page, '/drop');
  await take(page, 'Close the drop', /ends for good/, 'Close the drop');
  await isAt(page, 'Closed');
  await take(page, 'Open drop 2', /Drop 2 begins/, 'Open');
  await page.getByRole('heading', { level: 1, name: 'Drop 2' }).waitFor();
  await isAt(page, 'Open');
}

test('a whole drop is led from the console', { timeout: 480_000 }, async () => {
  const { page } = await site.visit();
  await page.goto('/console/overview');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await lookBefore(page);
  await chooseTill(page);
  await planStep(page);
  await freeze(page);
  await drawAndOffer(page);
  await handleOffers(page);
  await compareOrders(page);
  await lookAtMember(page);
  await reward(page);
  await close(page);
});

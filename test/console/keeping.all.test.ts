/** What is being written outlives the page and the session: drafts on the server, too. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Operators } from '../../contract/operator/access.ts';
import type { Campaign, Campaigns } from '../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { expectAccessibleConsole } from '../support/accessible-console.ts';
import { openTestBrowser, PHONE } from '../support/browser.ts';
import { openConsoleServer } from '../support/console-server.ts';
import { follow } from '../support/console-visit.ts';
import { readNoted, takeToast } from '../support/passing-states.ts';

const browser = openTestBrowser();
const server = openConsoleServer(browser);
const OWNERS = ['ada', 'grace'].map((name) => ({ name, email: `${name}@example.com` }));

beforeAll(async () => {
  for (const owner of OWNERS)
    await server.call(operatorPaths.operators, { ...owner, role: 'owner' });
});

const subjectOf = (page: Page) => page.getByLabel('Subject');
const textOf = (page: Page) => page.getByLabel('Text', { exact: true }).first();
const isSaved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();

async function readCampaign(subject: string): Promise<Campaign | undefined> {
  const { campaigns } = await server.call<Campaigns>(operatorPaths.campaigns);
  return campaigns.find((one) => one.subject === subject);
}

const pathOf = ({ campaign }: Campaign) => fillPath(operatorPaths.campaign, String(campaign));
const makeDraft = (subject: string) =>
  server.call<Campaign>(operatorPaths.campaigns, { subject, body: 'Soon.', filter: {} });

async function openDraft(page: Page, { campaign, subject }: Campaign): Promise<void> {
  await page.goto(`/console/campaigns?open=${campaign}`);
  await page.getByRole('heading', { name: subject, level: 1 }).waitFor();
}

/** Signs in, because a session can end and a token cannot. */
async function visitAs(email: string): Promise<Page> {
  const { page } = await server.visitSignedOut();
  await server.enter(page, email);
  return page;
}

async function endSessions(email: string): Promise<void> {
  const { operators } = await server.call<Operators>(operatorPaths.operators);
  const id = operators.find((one) => one.email === email)?.id ?? '';
  await server.call(fillPath(operatorPaths.operatorSessions, id), {}, 'DELETE');
}

test('a draft saves itself while it is written, and is there after Back', async () => {
  const { page } = await server.visit({ viewport: PHONE });
  await page.goto('/console/campaigns');
  await page.getByRole('button', { name: 'New campaign' }).click();
  await subjectOf(page).fill('It saves itself');
  await isSaved(page);
  // The page goes on with the draft that it has made, and whoever types is not interrupted.
  await expect.poll(() => page.url()).toMatch(/open=\d+$/);
  await expect
    .poll(() => subjectOf(page).evaluate((it) => it === document.activeElement))
    .toBe(true);
  await textOf(page).fill('You stand at **{position}**.');
  await page.frameLocator('iframe').getByText('You stand at 128.', { exact: true }).waitFor();
  await isSaved(page);
  await expectAccessibleConsole(page);

  // Too soon for the pause after which it is saved.
  await textOf(page).fill('You stand at **{position}** today.');
  await page.goBack();
  await page.getByRole('row', { name: /It saves itself/ }).click();
  await expect.poll(() => textOf(page).inputValue()).toBe('You stand at **{position}** today.');
  await isSaved(page);
  await expect
    .poll(async () => (await readCampaign('It saves itself'))?.body)
    .toBe('You stand at **{position}** today.');
  const { campaigns } = await server.call<Campaigns>(operatorPaths.campaigns);
  expect(campaigns.filter(({ subject }) => subject === 'It saves itself')).toHaveLength(1);
});

test('an edit of another operator is not written over, and both texts are kept', async () => {
  const draft = await makeDraft('Two authors');
  const { page, expectNoise } = await server.visit();
  expectNoise(/409/);
  await openDraft(page, draft);
  const { revision } = draft;
  const theirs = { subject: 'Two authors', body: 'Theirs.', filter: {}, revision };
  await server.call(pathOf(draft), theirs, 'PUT');
  await textOf(page).fill('Mine.');
  await takeToast(page, 'What you write is now draft ');
  await expectAccessibleConsole(page);
  await isSaved(page);
  await expect.poll(() => textOf(page).inputValue()).toBe('Mine.');
  const { campaigns } = await server.call<Campaigns>(operatorPaths.campaigns);
  const both = campaigns.filter(({ subject }) => subject === 'Two authors');
  expect(both.map(({ body }) => body)).toEqual(['Mine.', 'Theirs.']);
  await expect.poll(() => page.url()).toContain(`open=${both[0]?.campaign}`);
});

test('a save whose answer is lost is not taken for an edit of somebody else', async () => {
  const draft = await makeDraft('A lost answer');
  const { page, allowNoise } = await server.visit();
  allowNoise(/409|ERR_FAILED/);
  await openDraft(page, draft);
  let isLost = false;
  await page.route(`**${pathOf(draft)}`, async (route) => {
    if (isLost || route.request().method() !== 'PUT') return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  await textOf(page).fill('Once.');
  await expect
    .poll(() => readNoted(page, '[role=status]'))
    .toContainEqual(expect.stringMatching(/^Not saved/));
  await isSaved(page);
  const { campaigns } = await server.call<Campaigns>(operatorPaths.campaigns);
  const found = campaigns.filter(({ subject }) => subject === 'A lost answer');
  expect(found.map(({ body, revision }) => ({ body, revision }))).toEqual([
    { body: 'Once.', revision: 2 },
  ]);
});

test('a session that ends while somebody writes loses nothing', async () => {
  const draft = await makeDraft('Cut off');
  const page = await visitAs('ada@example.com');
  await openDraft(page, draft);
  await textOf(page).fill('The first half.');
  await isSaved(page);
  // The preview follows the save, and a frame that asks without a session is noise.
  await page.frameLocator('iframe').getByText('The first half.').last().waitFor();
  await endSessions('ada@example.com');
  await textOf(page).fill('The first half, and the second.');
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  // By a link that is opened in this tab: the document is a new one.
  await server.enter(page, 'ada@example.com');
  await openDraft(page, draft);
  await expect.poll(() => textOf(page).inputValue()).toBe('The first half, and the second.');
  await isSaved(page);

  await follow(page, '/settings');
  await page.getByRole('button', { name: 'Pause joining' }).click();
  const message = page.getByLabel('What visitors are told');
  await message.fill('Back on Friday.');
  await page.getByText('answer: Back on Friday.').waitFor();
  await page.getByLabel('Reason').fill('The office moves');
  await endSessions('ada@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  // Nobody else finds what she wrote.
  await server.enter(page, 'grace@example.com');
  await follow(page, '/settings');
  await page.getByRole('button', { name: 'Pause joining' }).click();
  await expect.poll(() => message.inputValue()).not.toBe('Back on Friday.');
  await server.enter(page, 'ada@example.com');
  await follow(page, '/settings');
  await page.getByRole('button', { name: 'Pause joining' }).click();
  await expect.poll(() => message.inputValue()).toBe('Back on Friday.');
  await expect.poll(() => page.getByLabel('Reason').inputValue()).toBe('The office moves');
});

test('a draft is deleted only when its author confirms it', async () => {
  const draft = await makeDraft('Too early');
  const { page } = await server.visit({ viewport: PHONE });
  await openDraft(page, draft);
  const remove = page.getByRole('button', { name: 'Delete draft' });
  const dialog = page.getByRole('dialog', { name: 'Delete Too early?' });
  await remove.click();
  await dialog.waitFor();
  await expectAccessibleConsole(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => dialog.count()).toBe(0);
  await isSaved(page);
  await expect.poll(() => readCampaign('Too early')).toBeDefined();
  await remove.click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
  await expect.poll(() => readCampaign('Too early')).toBeUndefined();
});

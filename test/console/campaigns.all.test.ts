/** The campaigns screen: writing a mail, looking at it, sending it, and watching it leave. */
import { beforeAll, expect, test } from 'vitest';
import type { Campaign } from '../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { DESKTOP, openTestBrowser, PHONE } from '../support/browser.ts';
import { joinLine } from '../support/browser-line.ts';
import { callOperator, visitConsole } from '../support/console-visit.ts';

const browser = openTestBrowser();
/** Only of the members that this file lets join. */
const OURS = 'campaign-reader';

beforeAll(async () => {
  for (const index of [1, 2, 3]) await joinLine({ email: `${OURS}${index}@example.com` });
});

const draft = (more: object = {}) =>
  callOperator<Campaign>(operatorPaths.campaigns, {
    subject: 'News for #{position}',
    body: '# Soon\n\nYou stand at **{position}**.',
    filter: { text: OURS, confirmed: false },
    ...more,
  });

test('a mail is written, previewed, and tried on a phone, and sent at a desk', async () => {
  const { page } = await visitConsole(browser, { viewport: PHONE });
  await page.goto('/console/campaigns');
  await page.getByRole('button', { name: 'New campaign' }).click();
  await page.getByLabel('Subject').fill('The drop is near');
  await page.getByLabel('Text', { exact: true }).first().fill('You stand at **{positon}**.');
  await page.getByLabel('Search').fill(OURS);
  await page.getByText('0 members now').waitFor();
  await page.getByLabel('Address').selectOption('Not confirmed');
  await page.getByText('Anybody may have typed these addresses').waitFor();
  await page.getByText('3 members now').waitFor();
  await page.getByText('did you mean {position}?').waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'Send to the line' }).isDisabled())
    .toBe(true);

  await page.getByLabel('Text', { exact: true }).first().fill('You stand at **{position}**.');
  const mail = page.frameLocator('iframe');
  await mail.getByText('You stand at 128.', { exact: true }).waitFor();
  await page.getByLabel('Phone').check();
  await page.getByLabel('Text', { exact: true }).and(page.getByRole('radio')).check();
  await page.locator('pre').filter({ hasText: 'You stand at 128.' }).waitFor();

  await page.setViewportSize(DESKTOP);
  await page.getByRole('button', { name: 'Send to the line' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('3 members get "The drop is near".').waitFor();
  await dialog.getByText('anybody may have typed them').waitFor();
  await dialog.getByLabel('Reason').fill('The drop is near');
  await dialog.getByRole('button', { name: 'Send' }).click();
  const sent = page.getByRole('region', { name: 'Mails' });
  await expect.poll(() => sent.textContent()).toContain('Kept, not sent3');
  await page.getByText('Done', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'All campaigns' }).click();
  await page
    .getByRole('row', { name: /The drop is near/ })
    .first()
    .waitFor();
});

test('both ends of a time stand beside each other at a desk, and in line on a phone', async () => {
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto('/console/campaigns?open=new');
  /** How the second end stands to the first. */
  const readOffset = async () => {
    const first = await page.getByLabel('Joined from').boundingBox();
    const second = await page.getByLabel('Joined before').boundingBox();
    if (first === null || second === null) return '';
    if (first.width !== second.width) return 'of another width';
    if (first.y === second.y) return 'beside';
    return first.x === second.x ? 'below' : 'askew';
  };
  await expect.poll(readOffset).toBe('beside');
  await page.setViewportSize(PHONE);
  await expect.poll(readOffset).toBe('below');
});

test('a subject is read without the names of its placeholders', async () => {
  await draft({ subject: 'For #{position} of {positon}', body: 'Soon.' });
  await draft({ subject: 'To #{position} with {referral_count} friends' });
  const { page } = await visitConsole(browser, { viewport: DESKTOP });
  await page.goto('/console/campaigns');
  // What cannot be filled in is a mistake, and stays to be seen.
  await page.getByRole('row', { name: /For #… of \{positon\}/ }).waitFor();
  await page.getByRole('row', { name: /To #… with … friends/ }).click();
  await page.getByRole('heading', { name: 'To #… with … friends', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Send to the line' }).click();
  await page.getByRole('dialog').getByText('members get "To #… with … friends".').waitFor();
});

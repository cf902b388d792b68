/** Whole jobs of an operator, each by keys alone at a desk and by touch on a phone. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { openTestBrowser } from '../../support/browser.ts';
import { HANDS, type Hand } from '../../support/console-hands.ts';
import { openConsoleServer } from '../../support/console-server.ts';
import { holdToasts, takeToast, untilToastIsHeld } from '../../support/passing-states.ts';
import { startMailbox } from '../../support/smtp-mailbox.ts';

/** Takes test mails and is too busy for all others, so that a campaign is there to be cancelled. */
const mailbox = await startMailbox({
  react: (moment, address) =>
    moment === 'recipient' && address !== 'me@example.com' ? 451 : undefined,
});
const received: string[] = [];
const receiver = createServer((request, response) => {
  received.push(String(request.headers['webhook-id']));
  response.end('thanks');
}).listen(0, '127.0.0.1');

const browser = openTestBrowser();
const server = openConsoleServer(browser, {
  SMTP_URL: `${mailbox.url}?tls=off`,
  WEBHOOK_NETWORKS: '127.0.0.1',
});
beforeAll(async () => {
  const owner = { name: 'Olga', email: 'olga@example.com', role: 'owner' };
  await server.call(operatorPaths.operators, owner);
});
afterAll(async () => {
  receiver.close();
  await mailbox.close();
});

describe.each(HANDS)('$name', ({ options, handOf }) => {
  const who = options.viewport.width > 1000 ? 'desk' : 'phone';
  let page: Page;
  let hand: Hand;

  beforeAll(async () => {
    const inviter = await server.joinLine(`${who}-ada`);
    for (const name of ['grace', 'edith'])
      await server.joinLine(`${who}-${name}`, inviter.referral_code);
    for (const index of [1, 2, 3]) await server.joinLine(`${who}-many${index}`);
  });

  /** With `hasOwnClock` the test moves the page's clock, which its timers follow from the start. */
  async function begin(screen: string, hasOwnClock = false): Promise<void> {
    ({ page } = await server.visit(options));
    hand = handOf(page);
    if (hasOwnClock) await page.clock.install();
    await page.goto('/console/overview');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await hand.go(screen);
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const row = (name: string | RegExp) => page.getByRole('row', { name });

  async function find(text: string): Promise<void> {
    if (who === 'desk') {
      await page.keyboard.press('/');
      await page.keyboard.type(text);
    } else await hand.write(page.getByRole('searchbox'), text);
    await page.keyboard.press('Enter');
    if (who === 'desk') await page.keyboard.press('Tab');
  }

  async function change(item: string): Promise<void> {
    await hand.press(page.locator('.sheet').getByRole('button', { name: 'Change', exact: true }));
    await hand.press(page.getByRole('menuitem', { name: item }));
  }

  test('a member is found, their address corrected and their points adjusted', async () => {
    await begin('Members');
    await find(`${who}-grace`);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await hand.press(row(/-grace@example\.com/));
    await page.getByRole('dialog', { name: `${who}-grace@example.com` }).waitFor();
    await change('Correct the address');
    const address = page.getByRole('dialog', { name: 'Correct the address' });
    await hand.write(address.getByLabel('Address'), `${who}-hopper@example.com`);
    await hand.confirm(address, 'Correct');
    await takeToast(page, 'The address of a member was corrected.');
    await page.getByRole('dialog', { name: `${who}-hopper@example.com` }).waitFor();

    await change('Adjust points');
    const points = page.getByRole('dialog', { name: /^Adjust the points/ });
    await hand.write(points.getByLabel('Points'), '5');
    await hand.confirm(points, 'Adjust');
    await takeToast(page, 'A member got 5 points.');
    await page.getByText(/\+ 5 by operators/).waitFor();
    await hand.close();
  });

  test('members are removed by a filter, and brought back from the message', async () => {
    await begin('Members');
    await find(`${who}-many`);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
    await hand.press(button('Filter'));
    const filter = page.getByRole('dialog', { name: 'Filter members' });
    await hand.choose(filter.getByLabel('Tier'), 'No tier yet');
    await hand.press(filter.getByRole('button', { name: 'Apply' }));
    await page.getByText('No tier', { exact: true }).waitFor();
    await hand.press(button('Remove these'));
    const remove = page.getByRole('dialog', { name: 'Remove members' });
    await remove.getByText(/^3 members leave the line/).waitFor();
    const releaseToasts = await holdToasts(page);
    await hand.confirm(remove, 'Remove');
    await takeToast(page, '3 members were removed');
    await page.getByText('No member matches').waitFor();

    if (who === 'desk') await page.keyboard.press('u');
    else await hand.press(page.locator('.toast').getByRole('button', { name: 'Undo' }));
    const undo = page.getByRole('dialog', { name: /^Undo change/ });
    await releaseToasts();
    await hand.confirm(undo, 'Undo');
    await expect(takeToast(page, '3 members came back')).resolves.toMatchObject({
      description: expect.stringContaining('Undone: 3 members were removed'),
    });
    await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
  });

  test('the stock of a size is changed, and the undo is reached in the message', async () => {
    await begin('Stock', true);
    await hand.press(button('Change the stock of Medium'));
    const dialog = page.getByRole('dialog', { name: 'Change the stock of Medium' });
    await hand.write(dialog.getByLabel('Stock'), '30');
    const releaseToasts = await holdToasts(page);
    await hand.confirm(dialog, 'Change');
    await takeToast(page, '30');
    // Otherwise its time would be over once the clock jumps.
    await untilToastIsHeld(page);
    await page.clock.pauseAt(Date.now() + 60_000);
    await releaseToasts();
    // It waits for as long as it has the focus, and is there for a while without.
    if (who === 'desk') {
      await page.keyboard.press('F8');
      await page.keyboard.press('Tab');
      await page.locator('.toast:focus, .toast :focus').waitFor();
    }
    await page.clock.runFor(who === 'desk' ? '01:00' : '00:15');
    await hand.press(page.locator('.toast').getByRole('button', { name: 'Undo' }));
    await page.clock.resume();
    await hand.confirm(page.getByRole('dialog', { name: /^Undo change/ }), 'Undo');
    await row(/Medium/)
      .getByRole('cell', { name: '34' })
      .first()
      .waitFor();
  });

  test('a campaign is written, looked at, tried, sent and cancelled', async () => {
    await begin('Campaigns');
    await hand.press(button('New campaign'));
    await hand.write(page.getByLabel('Subject'), `News for the ${who}`);
    await hand.write(
      page.getByLabel('Text', { exact: true }).first(),
      'You stand at **{position}**.',
    );
    await hand.choose(page.getByRole('combobox', { name: 'Mail' }), 'On');
    await hand.write(page.getByLabel('Search'), `${who}-many`);
    await hand.choose(page.getByLabel('Address'), 'Not confirmed');
    await page.getByText('3 members now').waitFor();
    await page.frameLocator('iframe').getByText('You stand at 128.', { exact: true }).waitFor();
    await hand.write(page.getByLabel('Test mail to'), 'me@example.com');
    await hand.press(button('Send test'));
    await page.getByText('Sent. The mail server answered:').waitFor();

    await hand.press(button('Send to the line'));
    await hand.confirm(page.getByRole('dialog', { name: 'Send to the line' }), 'Send');
    await hand.press(button('Cancel campaign'));
    await hand.confirm(page.getByRole('dialog', { name: 'Cancel campaign' }), 'Cancel campaign');
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    await hand.press(button('All campaigns'));
    await row(new RegExp(`News for the ${who}`)).waitFor();
  });

  test('a webhook is added, tried, and its delivery replayed', async () => {
    await begin('Webhooks');
    await hand.press(button('Add a webhook'));
    const add = page.getByRole('dialog', { name: 'Add a webhook' });
    const { port } = receiver.address() as AddressInfo;
    await hand.write(add.getByLabel('URL'), `http://127.0.0.1:${port}/${who}`);
    await hand.press(add.getByLabel(/joined/i));
    await hand.confirm(add, 'Add');
    await hand.press(button('I have kept it'));
    const before = received.length;
    await hand.press(row(/127\.0\.0\.1/).last());
    const sheet = page.locator('.sheet');
    await hand.press(sheet.getByRole('button', { name: 'Send a test event' }));
    await takeToast(page, 'Delivered');
    await hand.press(sheet.getByRole('button', { name: 'Replay webhook.test' }).first());
    await expect.poll(() => received.length).toBe(before + 2);
    await hand.close();
  });
});

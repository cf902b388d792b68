/** Every state of the pages that mails link to, by the way that leads there. */
import type { Page } from 'playwright-core';
import { fillPath, mailPagePaths } from '../../contract/paths.ts';
import { type LinkPurpose, signLinkToken } from '../../server/mail/link-token.ts';
import type { Visitor } from './browser.ts';

/** A member of the visited site, and the key that signs its links. */
export type LinkOwner = { readonly id: string; readonly secretKey: string };

const DAY_MS = 86_400_000;

export function tokenOf(
  { id: memberId, secretKey }: LinkOwner,
  purpose: LinkPurpose,
  inDays = 1,
): string {
  const expiresAt = new Date(Date.now() + inDays * DAY_MS);
  return signLinkToken(secretKey, { purpose, memberId, mailbox: null, expiresAt });
}

export const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

/** Goes to the page and waits for its heading. */
async function reach({ page }: Visitor, path: string, heading: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

type MailPageState = {
  readonly name: string;
  readonly reach: (visitor: Visitor, member: LinkOwner) => Promise<void>;
};

export const mailPageStates: readonly MailPageState[] = [
  {
    name: 'to confirm',
    reach: (visitor, member) =>
      reach(
        visitor,
        fillPath(mailPagePaths.confirm, tokenOf(member, 'confirm')),
        'Confirm your place',
      ),
  },
  {
    name: 'confirmed',
    async reach(visitor, member) {
      await reach(
        visitor,
        fillPath(mailPagePaths.confirm, tokenOf(member, 'confirm')),
        'Confirm your place',
      );
      await press(visitor.page, 'Confirm my place');
      await visitor.page.getByRole('heading', { name: 'Your place is confirmed' }).waitFor();
    },
  },
  {
    name: 'confirmation expired',
    async reach(visitor, member) {
      visitor.expectNoise(/410/);
      await reach(
        visitor,
        fillPath(mailPagePaths.confirm, tokenOf(member, 'confirm', -1)),
        'This link has expired',
      );
    },
  },
  {
    name: 'preferences',
    reach: (visitor, member) =>
      reach(
        visitor,
        fillPath(mailPagePaths.preferences, tokenOf(member, 'preferences')),
        'Mail and data',
      ),
  },
  {
    name: 'mail stopped',
    async reach(visitor, member) {
      await reach(
        visitor,
        fillPath(mailPagePaths.unsubscribe, tokenOf(member, 'preferences')),
        'Mail and data',
      );
      await press(visitor.page, 'Stop all mail');
      await visitor.page.getByRole('button', { name: 'Turn mail on again' }).waitFor();
    },
  },
  {
    name: 'preferences expired',
    async reach(visitor, member) {
      visitor.expectNoise(/410/);
      await reach(
        visitor,
        fillPath(mailPagePaths.preferences, tokenOf(member, 'preferences', -1)),
        'This link has expired',
      );
    },
  },
  {
    name: 'about to leave',
    reach: (visitor, member) =>
      reach(
        visitor,
        fillPath(mailPagePaths.leave, tokenOf(member, 'preferences')),
        'Leave the line?',
      ),
  },
  {
    name: 'left',
    async reach(visitor, member) {
      await reach(
        visitor,
        fillPath(mailPagePaths.leave, tokenOf(member, 'preferences')),
        'Leave the line?',
      );
      await press(visitor.page, 'Leave and erase me');
      await visitor.page.getByRole('heading', { name: 'You have left the line' }).waitFor();
    },
  },
  {
    name: 'a link that leads nowhere',
    async reach(visitor) {
      visitor.expectNoise(/404/);
      await reach(
        visitor,
        fillPath(mailPagePaths.preferences, 'nobody'),
        'This link leads nowhere',
      );
    },
  },
];

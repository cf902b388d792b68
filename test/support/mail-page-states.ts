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

type MailPageState = {
  readonly name: string;
  readonly reach: (visitor: Visitor, member: LinkOwner) => Promise<void>;
};

type Way = {
  readonly path: (typeof mailPagePaths)['confirm' | 'preferences' | 'leave' | 'unsubscribe'];
  readonly purpose: LinkPurpose;
  readonly heading: string;
  readonly hasExpired?: boolean;
  /** A button, and the text that follows it. */
  readonly press?: readonly [button: string, text: string];
};

const EXPIRED = { heading: 'This link has expired', hasExpired: true };
const confirm: Way = {
  path: mailPagePaths.confirm,
  purpose: 'confirm',
  heading: 'Confirm your place',
};
const preferences: Way = {
  path: mailPagePaths.preferences,
  purpose: 'preferences',
  heading: 'Mail and data',
};
const leave: Way = { ...preferences, path: mailPagePaths.leave, heading: 'Leave the line?' };

const WAYS: Readonly<Record<string, Way>> = {
  'to confirm': confirm,
  confirmed: { ...confirm, press: ['Confirm my place', 'Your place is confirmed'] },
  'confirmation expired': { ...confirm, ...EXPIRED },
  preferences,
  'mail stopped': {
    ...preferences,
    path: mailPagePaths.unsubscribe,
    press: ['Stop all mail', 'Turn mail on again'],
  },
  'preferences expired': { ...preferences, ...EXPIRED },
  'about to leave': leave,
  left: { ...leave, press: ['Leave and erase me', 'You have left the line'] },
};

export const mailPageStates: readonly MailPageState[] = [
  ...Object.entries(WAYS).map(([name, way]) => ({
    name,
    async reach({ page, expectNoise }: Visitor, member: LinkOwner) {
      const { path, purpose, heading, hasExpired = false, press: pressed } = way;
      if (hasExpired) expectNoise(/410/);
      await page.goto(fillPath(path, tokenOf(member, purpose, hasExpired ? -1 : 1)));
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      if (pressed === undefined) return;
      await press(page, pressed[0]);
      await page.getByText(pressed[1], { exact: true }).waitFor();
    },
  })),
  {
    name: 'a link that leads nowhere',
    async reach({ page, expectNoise }) {
      expectNoise(/404/);
      await page.goto(fillPath(mailPagePaths.preferences, 'nobody'));
      await page.getByRole('heading', { level: 1, name: 'This link leads nowhere' }).waitFor();
    },
  },
];

/** Every state of the status page, by the way that leads there. */

import { fillPath, pagePaths } from '../../contract/paths.ts';
import { newMemberId } from '../../server/line/member-id-rules.ts';
import { memberStates } from '../../web/dev/sample-members.ts';
import type { Visitor } from './browser.ts';
import { answerCall, answerStatus, MEMBER } from './browser-api.ts';
import { readToast, toastOf } from './browser-toast.ts';
import { join, type PageState, submit } from './page-visits.ts';

const LANDING = pagePaths.landing;
const STATUS = fillPath(pagePaths.status, MEMBER.id);

async function openStatus(
  { page, open }: Visitor,
  ...answers: [Parameters<typeof answerStatus>[1]?]
): Promise<void> {
  await answerStatus(page, ...answers);
  await open(STATUS);
  await page.getByRole('button', { name: 'Copy invite link' }).waitFor();
}

/** Joined today, without an invite, and is refused a code. */
async function openRefusedInviter({ page, open, expectNoise }: Visitor): Promise<void> {
  expectNoise(/422/);
  const id = newMemberId(await page.evaluate(() => Date.now()), new Uint8Array(10));
  await answerStatus(page, { id });
  await answerCall(page, 'inviter', { json: { until: '2026-11-23T12:00:00.000Z' } });
  await open(fillPath(pagePaths.status, id));
  const card = page.getByRole('region', { name: 'Who invited you?' });
  await page.getByRole('button', { name: 'Who invited you?' }).click();
  const detail = 'No member has this code. Please check it, or ask your friend for their link.';
  await answerCall(page, 'inviter', { status: 422, json: { detail } });
  await card.getByRole('textbox').fill('0123456789');
  await card.getByRole('button').click();
  await card.getByText(detail).waitFor();
}

export const statusPageStates: readonly PageState[] = [
  {
    name: 'status while loading',
    async reach({ page }) {
      await answerCall(page, 'status', 'silence');
      await answerCall(page, 'stats', 'silence');
      await page.goto(STATUS, { waitUntil: 'commit' });
      await page.locator('.dot-number-unlit').waitFor();
    },
  },
  { name: 'status', reach: (visitor) => openStatus(visitor) },
  ...Object.entries(memberStates).map(([name, member]) => ({
    name: `status ${name}`,
    reach: (visitor: Visitor) => openStatus(visitor, member),
  })),
  { name: 'status with a refused inviter', reach: openRefusedInviter },
  {
    name: 'status of somebody who has just joined',
    async reach({ page, open }) {
      await answerStatus(page, { referral_count: 0 });
      await answerCall(page, 'join', { status: 201, json: MEMBER });
      await open(LANDING);
      await join(page, 'SECURE YOUR SPOT');
      await page.getByRole('button', { name: 'Copy invite link' }).waitFor();
      await toastOf(page).waitFor();
    },
  },
  {
    name: 'status with a copied link',
    async reach(visitor) {
      await openStatus(visitor);
      await submit(visitor.page, 'Copy invite link');
      await readToast(visitor.page, 'Link copied!');
    },
  },
  {
    name: 'status with a link that could not be copied',
    async reach(visitor) {
      await openStatus(visitor);
      await visitor.page.evaluate(() => {
        navigator.clipboard.writeText = () =>
          Promise.reject(new DOMException('refused', 'NotAllowedError'));
        document.execCommand = () => false;
      });
      await submit(visitor.page, 'Copy invite link');
      await readToast(visitor.page, 'Copy failed');
    },
  },
  {
    name: 'status without stats',
    async reach({ page, open }) {
      await answerCall(page, 'status', { json: MEMBER });
      await answerCall(page, 'stats', { json: {} });
      await open(STATUS);
      await page.getByText('Not available').first().waitFor();
      await readToast(page, 'Error loading data');
    },
  },
  {
    name: 'member not found',
    async reach({ page, open, expectNoise }) {
      expectNoise(/404/);
      await open(STATUS);
      await page.getByText('Invalid or expired link.').waitFor();
    },
  },
  {
    name: 'status that cannot be loaded',
    async reach({ page, open }) {
      await answerCall(page, 'status', { json: {} });
      await open(STATUS);
      await readToast(page, 'Error loading data');
    },
  },
];

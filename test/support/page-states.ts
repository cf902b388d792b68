/** Every state in which a visitor can find a page, by the way that leads there. */
import type { Page } from 'playwright-core';
import { fillPath, landingWithReferral, pagePaths } from '../../contract/paths.ts';
import type { Visitor } from './browser.ts';
import { answerCall, holdCall, MEMBER } from './browser-api.ts';
import { readToast } from './browser-toast.ts';
import { join, type PageState, submit } from './page-visits.ts';
import { statusPageStates } from './status-page-states.ts';

const LANDING = pagePaths.landing;
const INVITE = fillPath(pagePaths.invite, MEMBER.referral_code);

const answerInvite = (page: Page, valid: boolean) =>
  answerCall(page, 'verifyReferral', {
    json: {
      valid,
      referrer_email: valid ? 'a-rather-long-address-of-somebody@subdomain.example.com' : null,
    },
  });

/** Joins need a proof of work, and what makes it does not arrive. */
async function holdProof({ page, expectNoise }: Visitor): Promise<void> {
  expectNoise(/428/);
  await page.route('**/assets/solve-challenge-*.js', () => undefined);
  await answerCall(page, 'join', {
    status: 428,
    json: { detail: 'A check is needed.', challenge: {} },
  });
}

const FORMS = [
  { form: 'landing', path: LANDING, button: 'SECURE YOUR SPOT', failed: 'Something went wrong' },
  { form: 'invite', path: INVITE, button: 'Accept Invite & Join', failed: 'Signup failed' },
] as const;

/** States of both pages that have a form. */
const formStates = FORMS.flatMap(({ form, path, button, failed }): PageState[] => {
  const openForm = async ({ page, open }: Visitor) => {
    await answerInvite(page, true);
    await open(path);
  };
  return [
    {
      name: `${form} with a refusal`,
      async reach(visitor) {
        await openForm(visitor);
        await submit(visitor.page, button);
        await readToast(visitor.page, 'Email required');
      },
    },
    {
      name: `${form} while joining`,
      async reach(visitor) {
        await holdCall(visitor.page, 'join');
        await openForm(visitor);
        await join(visitor.page, button);
        await visitor.page.getByRole('button', { name: 'JOINING...' }).waitFor();
      },
    },
    {
      name: `${form} while a proof is made`,
      async reach(visitor) {
        await holdProof(visitor);
        await openForm(visitor);
        await join(visitor.page, button);
        await visitor.page.locator('form [role="status"]:not(:empty)').waitFor();
      },
    },
    {
      name: `${form} with a join that failed`,
      async reach(visitor) {
        const { page, expectNoise } = visitor;
        expectNoise(/400/);
        await answerCall(page, 'join', { status: 400, json: { detail: 'Not in this form.' } });
        await openForm(visitor);
        await join(page, button);
        await readToast(page, failed);
      },
    },
  ];
});

export const pageStates: readonly PageState[] = [
  ...formStates,
  {
    name: 'landing',
    async reach({ page, open }) {
      await open(LANDING);
      await page.clock.runFor(3000);
      await page.locator('.see-it').waitFor();
    },
  },
  {
    name: 'landing with a referral',
    async reach({ page, open }) {
      await answerInvite(page, true);
      await open(landingWithReferral(MEMBER.referral_code));
      await readToast(page, 'Referral Detected!');
    },
  },
  {
    name: 'landing of a member who comes back',
    async reach({ page, open }) {
      await open(LANDING);
      await page.evaluate((member) => {
        localStorage.setItem('waitlist.member_id', member.id);
        localStorage.setItem('waitlist.member', JSON.stringify(member));
      }, MEMBER);
      await answerInvite(page, true);
      await answerCall(page, 'status', { json: MEMBER });
      await open(landingWithReferral(MEMBER.referral_code));
      await page.getByRole('link', { name: 'Welcome back' }).waitFor();
      await page.clock.runFor(3000);
      await page.getByRole('link', { name: /^Welcome back, .+ #128$/ }).waitFor();
    },
  },
  {
    name: 'landing with an address that is in line',
    async reach({ page, open, expectNoise }) {
      expectNoise(/409/);
      await answerCall(page, 'join', {
        status: 409,
        json: { detail: 'This address is already registered.' },
      });
      await open(LANDING);
      await join(page, 'SECURE YOUR SPOT');
      await readToast(page, 'Already registered');
    },
  },
  {
    name: 'landing with music',
    async reach({ page, open }) {
      await open(LANDING);
      await page.getByRole('button', { name: 'Music' }).click();
      await page.getByRole('button', { name: 'Music', pressed: true }).waitFor();
    },
  },
  {
    name: 'landing with the focus in the field',
    async reach({ page, open }) {
      await open(LANDING);
      await page
        .getByLabel('Email')
        .fill('somebody-with-a-rather-long-address@subdomain.example.com');
    },
  },
  {
    name: 'invite while verifying',
    async reach({ page }) {
      await answerCall(page, 'verifyReferral', 'silence');
      await page.goto(INVITE, { waitUntil: 'commit' });
      await page.getByRole('heading', { name: 'Verifying invite...' }).waitFor();
    },
  },
  {
    name: 'invite',
    async reach({ page, open }) {
      await answerInvite(page, true);
      await open(INVITE);
      await page.getByRole('heading', { name: 'Exclusive Invite' }).waitFor();
    },
  },
  {
    name: 'invite that cannot be verified',
    async reach({ page, open }) {
      await answerCall(page, 'verifyReferral', { json: {} });
      await open(INVITE);
      await readToast(page, 'Error verifying invite');
    },
  },
  {
    name: 'invalid invite',
    async reach({ page, open }) {
      await answerInvite(page, false);
      await open(INVITE);
      await readToast(page, 'Invalid invite link');
    },
  },
  {
    name: 'invalid invite, staying',
    async reach({ page, open }) {
      await answerInvite(page, false);
      await open(INVITE);
      await submit(page, 'Stay');
      await page.getByText('You are staying on this page.').waitFor();
    },
  },
  ...statusPageStates,
  {
    name: 'page not found',
    async reach({ open, expectNoise }) {
      expectNoise(/404/);
      await open('/elsewhere');
    },
  },
];

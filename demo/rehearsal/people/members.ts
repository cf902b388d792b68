import { HOUR_MS } from '../../../server/durations.ts';
import type { ReceivedMail } from '../../../test/support/smtp-mailbox.ts';
import type { Joined } from '../../play-joins.ts';
import type { OfferRow } from '../rehearsal-store.ts';
import { type Answers, actOnOffer, changeSize, findToken, wishSizes } from './member-acts.ts';

type MemberOptions = {
  readonly url: string;
  readonly members: readonly Joined[];
  readonly sizes: readonly string[];
  readonly mails: readonly ReceivedMail[];
  readonly random: () => number;
  readonly answers: Answers;
};

export function openMembers(options: MemberOptions) {
  const { url, members, sizes, mails, random } = options;
  const { expect, expectStatus } = options.answers;
  const addressOf = new Map(members.map(({ id, email }) => [id, email]));
  const tokenOf = (memberId: string) => findToken(mails, addressOf.get(memberId) ?? '');
  const plans = new Map<string, Plan>();

  async function accept(token: string): Promise<void> {
    const [first, second] = await Promise.all([
      actOnOffer(url, 'accept', token),
      actOnOffer(url, 'accept', token),
    ]);
    expectStatus('Accepting', first.status, 200);
    expectStatus('Accepting twice, with the same code', second.status, 200);
    expect('Two clicks get one code', first.offer?.code === second.offer?.code);
  }

  async function takeOtherSize(token: string, own: string): Promise<void> {
    const { offer } = await actOnOffer(url, 'look', token);
    const free = offer?.free_sizes[0];
    const wanted = free ?? sizes.find((size) => size !== own) ?? '';
    const { status } = await changeSize(url, token, wanted);
    expectStatus('A change of size', status, free === undefined ? 409 : 200);
  }

  async function follow(plan: Plan, { member_id: id, size }: OfferRow): Promise<void> {
    const token = tokenOf(id);
    if (token === null) return expect('An offer has a mail with a link', false);
    if (plan.kind === 'decline')
      return expectStatus('Declining', (await actOnOffer(url, 'decline', token)).status, 200);
    if (plan.kind === 'change') await takeOtherSize(token, size);
    await accept(token);
  }

  return {
    tokenOf,
    async wish(): Promise<number> {
      let wishes = 0;
      for (const { id } of members) {
        const wish = drawWish(sizes, random);
        if (wish === null) continue;
        wishes += 1;
        expectStatus('Naming sizes', await wishSizes(url, id, wish), 200);
      }
      return wishes;
    },
    notice(offers: readonly OfferRow[]): number {
      const known = plans.size;
      for (const { id, state } of offers)
        if (state === 'open' && !plans.has(id)) plans.set(id, drawPlan(random));
      return plans.size - known;
    },
    async answer(offers: readonly OfferRow[], now: number): Promise<number> {
      let answers = 0;
      for (const offer of offers) {
        const plan = plans.get(offer.id);
        if (offer.state !== 'open' || offer.mailed_at === null) continue;
        if (plan === undefined || plan.kind === 'expire') continue;
        if (now < offer.mailed_at.getTime() + plan.hour * HOUR_MS - HOUR_MS / 2) continue;
        answers += 1;
        await follow(plan, offer);
      }
      return answers;
    },
  };
}

/** An hour counts from the offer. Members who let it expire do nothing. */
type Plan =
  | { readonly kind: 'accept' | 'decline'; readonly hour: number }
  | { readonly kind: 'change'; readonly hour: number }
  | { readonly kind: 'expire' };

const ACCEPTS = 0.55;
const CHANGES = 0.1;
const DECLINES = 0.17;
const HOURS = 11;

function drawPlan(random: () => number): Plan {
  const kind = random();
  const hour = Math.floor(random() * HOURS);
  if (kind < ACCEPTS) return { kind: 'accept', hour };
  if (kind < ACCEPTS + CHANGES) return { kind: 'change', hour };
  return kind < ACCEPTS + CHANGES + DECLINES ? { kind: 'decline', hour } : { kind: 'expire' };
}

function drawWish(
  sizes: readonly string[],
  random: () => number,
): { sizes: string[]; takes_any: boolean } | null {
  if (random() > 1 / 3) return null;
  const first = Math.floor(random() * sizes.length);
  const second = (first + 1) % sizes.length;
  const wished = random() < 0.5 ? [first] : [first, second];
  return { sizes: wished.flatMap((index) => sizes[index] ?? []), takes_any: random() < 0.5 };
}

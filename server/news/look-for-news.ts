import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import { type MailRequest, queueMails } from '../mail/queue.ts';
import { type CreditNews, decideCreditNews } from './credit-news-rules.ts';
import { holdCreditedMembers, keepTold } from './credit-news-store.ts';
import { decideHundredNews } from './hundred-rules.ts';
import { findHundredChanges, keepHundredTold, keepSequence, readSequences } from './hundred-store.ts';
import { holdMembers, inOneLook, type Look } from './look-store.ts';

type NewsOptions = {
  readonly brand: Pick<Brand, 'mails' | 'tiers'>;
  readonly now?: Date;
};

/** Held at once at most: a credit for one of them waits that long. */
const MEMBERS_A_ROUND = 500;

/**
 * Queues the mails about friends, tiers and the first hundred that are due. To be run every minute or so, by any number of servers: one of
 * them looks, the others leave it to that one. Of kinds that the brand has switched off, members count as told, so that switching
 * one on tells of nothing old.
 */
export async function lookForNews(
  database: Database,
  { brand, now = new Date() }: NewsOptions,
): Promise<{ queued: number }> {
  let queued = 0;
  for (;;) {
    const round = await inOneLook(database, (look) => tellOfCredits(look, { brand, now }));
    if (round === null) return { queued };
    queued += round.queued;
    if (round.members < MEMBERS_A_ROUND) break;
  }
  const ofHundred = await inOneLook(database, (look) => tellOfHundred(look, { brand, now }));
  return { queued: queued + (ofHundred ?? 0) };
}

async function tellOfCredits(
  look: Look,
  { brand, now }: Required<NewsOptions>,
): Promise<{ members: number; queued: number }> {
  const members = await holdCreditedMembers(look, { now, limit: MEMBERS_A_ROUND });
  if (members.length === 0) return { members: 0, queued: 0 };
  const decided = members.map(({ memberId, ...state }) => ({
    memberId,
    ...decideCreditNews(brand.tiers, { ...state, now }),
  }));
  await keepTold(look, decided);
  return { members: members.length, queued: await queueOf(look, brand, decided.flatMap(creditMails)) };
}

function creditMails({ memberId, newFriends, tierLevel }: CreditNews & { memberId: string }): MailRequest[] {
  return [
    ...(newFriends === null ? [] : [{ kind: 'friends' as const, memberId, newFriends }]),
    ...(tierLevel === null ? [] : [{ kind: 'tier' as const, memberId, level: tierLevel }]),
  ];
}

async function tellOfHundred(look: Look, { brand, now }: Required<NewsOptions>): Promise<number> {
  // Before the members, so that nobody who joins in between is passed over.
  const { next, looked } = await readSequences(look);
  const decided = (await findHundredChanges(look, { newFrom: looked }))
    .map((change) => ({ ...change, decision: decideHundredNews(change, now) }))
    .filter(({ decision }) => decision !== 'wait');
  const memberIds = decided.map(({ memberId }) => memberId);
  const held = memberIds.length > 0 ? await holdMembers(look, memberIds) : new Set<string>();
  const changes = decided.filter(({ memberId }) => held.has(memberId));
  if (changes.length > 0) await keepHundredTold(look, { changes, now });
  // Somebody new who could not be held is still new at the next look.
  const isEveryNewMemberKept = !decided.some(({ isNew, memberId }) => isNew && !held.has(memberId));
  if (next !== looked && isEveryNewMemberKept) await keepSequence(look, next);
  const mails = changes
    .filter(({ decision }) => decision === 'mail')
    .map(({ memberId, isInside }) => ({ kind: 'hundred' as const, memberId, isInside }));
  return await queueOf(look, brand, mails);
}

async function queueOf(look: Look, brand: Pick<Brand, 'mails'>, mails: readonly MailRequest[]): Promise<number> {
  const wanted = mails.filter(({ kind }) => brand.mails[kind].isOn);
  if (wanted.length > 0) await queueMails(look, wanted);
  return wanted.length;
}

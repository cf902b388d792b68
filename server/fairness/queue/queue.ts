import type {
  CreditGroup,
  CreditKinds,
  CreditQueue,
  CreditQueueRequest,
  HeldCredits,
} from '../../../contract/operator/credits/credits.ts';
import type { Database } from '../../db/database.ts';
import { pageOf, unknownKey } from '../../http/cursor-rules.ts';
import { readMemberId, unknownMember } from '../../line/member-id-rules.ts';
import { readMembers } from '../../members/list/read-members.ts';
import { membersOf } from '../../members/list/sheet-store.ts';
import type { Platform } from '../../module.ts';
import { DISPOSABLE_LIST } from '../disposable-domains.ts';
import {
  heldFriendsOf,
  type QueueKey,
  readGroups,
  readHeld,
  readQueue,
  readRules,
} from './queue-store.ts';

const PAGE_GROUPS = 30;
const PAGE_CREDITS = 50;

export type QueueOptions = Pick<Platform, 'database' | 'brand'>;

/** Most held credits first. A group that changes meanwhile may be listed twice or not at all. */
export async function listQueue(
  options: QueueOptions,
  { rule, second_look: secondLook, on_hold: onHold, after }: CreditQueueRequest,
): Promise<CreditQueue> {
  const found = await readQueue(options.database, {
    rule: rule ?? null,
    isSecondLook: secondLook === 'asked',
    isOnHold: onHold === 'yes',
    after: after === undefined ? null : readCursor(after),
    limit: PAGE_GROUPS + 1,
  });
  const { shown, next } = pageOf(found, PAGE_GROUPS, (last) => `${last.held}.${last.referrerId}`);
  return { groups: await viewGroups(options, shown), next };
}

export async function listHeldCredits(
  options: QueueOptions,
  { memberId, after = '0' }: { memberId: string; after?: string | undefined },
): Promise<HeldCredits> {
  const { database, brand } = options;
  const referrerId = readMemberId(memberId);
  if (referrerId === null) throw unknownMember();
  const [group] = await viewGroups(options, [{ referrerId, held: null }]);
  if (group === undefined) throw unknownMember();
  const limit = PAGE_CREDITS + 1;
  const afterSequence = Math.min(Number(after), Number.MAX_SAFE_INTEGER);
  const friends = heldFriendsOf(referrerId, { afterSequence, limit });
  const found = await readMembers(database, brand, friends, limit);
  const { shown, next } = pageOf(found, PAGE_CREDITS, ({ sequence }) => String(sequence));
  const ids = shown.map(({ member }) => member.id);
  const known = byId(await readHeld(database, ids));
  return {
    group,
    credits: shown.flatMap(({ member }) => {
      const held = known.get(member.id);
      return held === undefined ? [] : [{ ...member, ...held }];
    }),
    hold_at: brand.fairness.holdAt,
    next,
  };
}

export async function getKinds(database: Database): Promise<CreditKinds> {
  const { version, publishedAt } = DISPOSABLE_LIST;
  return {
    rules: await readRules(database),
    disposable_list: { version, published_at: publishedAt },
  };
}

async function viewGroups(
  { database, brand }: QueueOptions,
  wanted: readonly { readonly referrerId: string; readonly held: number | null }[],
): Promise<CreditGroup[]> {
  const ids = wanted.map(({ referrerId }) => referrerId);
  const members = await readMembers(database, brand, membersOf(ids), ids.length);
  const referrers = byId(members.map(({ member }) => member));
  const groups = byId(await readGroups(database, ids));
  return wanted.flatMap(({ referrerId, held }) => {
    const referrer = referrers.get(referrerId);
    const group = groups.get(referrerId);
    if (referrer === undefined || group === undefined) return [];
    return { ...group, referrer, held: held ?? group.friends.held };
  });
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

function readCursor(text: string): QueueKey {
  const [, held, id = ''] = /^(\d{1,9})\.(.+)$/.exec(text) ?? [];
  const referrerId = readMemberId(id);
  if (referrerId === null) throw unknownKey();
  return { held: Number(held), referrerId };
}

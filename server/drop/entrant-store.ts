import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { DrawEntrant, DrawPlace, DrawRecord } from '../../contract/drop/draw-record.ts';
import type { SizeWishView } from '../../contract/drop/drop-views.ts';
import { MAX_WEIGHT, weightOf } from '../../contract/drop/weight-rules.ts';
import type { DropFacts, MemberDrop } from '../../contract/operator/drop/drop-facts.ts';
import type { Reader } from '../db/database.ts';
import { all, column, count, first, only, run, value } from '../db/rows.ts';
import type { DropRow, FeatureTables, OfferRow } from '../db/schema/feature-tables.ts';
import type { Transaction } from '../db/transaction.ts';
import { IS_PASS } from './drop-store.ts';

type EntrantCounts = DropFacts['entrants'];

export type FirstMember = {
  readonly member_id: string;
  readonly identity: string;
  readonly credits: number;
};

/** The first of a frozen line, who count by confirmed friends. A writer of this holds its lock. */
export function readFirst(reader: Reader['kysely'], first: number) {
  return all<FirstMember>(reader)`
    select ahead.member_id, ahead.credits, own.email_identity as identity
    from settled_line(${first}::integer) ahead
    cross join lateral (select * from member where id = ahead.member_id offset 0) own
    order by ahead.sort_key
  `;
}

export function readHolders({ kysely }: Reader, number: number) {
  return column<string>(kysely)`
    select email_identity from offer join member on member.id = offer.member_id
    where drop_number <> ${number} and ${IS_PASS}
  `;
}

/**
 * Returns how many are in line. A drop was lost if it was drawn after the last offer, and weighs as
 * much as a ticket without friends.
 */
export function insertEntrants(
  transaction: Transaction,
  number: number,
  { entrants, lossesCount }: { entrants: readonly FirstMember[]; lossesCount: boolean },
) {
  const ids = entrants.map(({ member_id }) => member_id);
  const credits = entrants.map((entrant) => entrant.credits);
  const weights = credits.map(weightOf);
  return count(transaction)`
    insert into entrant (
      drop_number, position, member_id, points, held_credits, sizes, takes_any, losses, weight)
    select ${number}::integer, entering.position, member.id,
      2 * entering.credits + member.is_invited::integer + member.point_adjustment, held.credits,
      coalesce(wish.sizes, '{}'), coalesce(wish.takes_any, true), lost.drops,
      least(${MAX_WEIGHT}::integer, entering.weight + ${weightOf(0)}::integer * lost.drops)
    from unnest(${ids}::uuid[], ${credits}::integer[], ${weights}::integer[])
      with ordinality as entering (member_id, credits, weight, position)
    cross join lateral (select * from member where id = entering.member_id offset 0) member
    left join size_wish wish on wish.member_id = member.id
    cross join lateral (
      select count(*)::integer as credits from member friend
      where friend.referrer_id = member.id and friend.credit = 'held'
    ) held
    cross join lateral (
      select least(255, count(*)) as drops from mask_drop past
      cross join lateral (
        select from entrant where drop_number = past.number and member_id = member.id
          and draw_order is not null offset 0
      ) entered
      where ${lossesCount} and past.number < ${number}::integer and past.selected_at is not null
        and past.number > coalesce(
          (select max(drop_number) from offer where offer.member_id = member.id), 0)
    ) lost
  `;
}

/** Whom the frozen list puts elsewhere than the line does, by address, in the order of either. */
export type FreezeMoves = {
  readonly moved: number;
  readonly entering: readonly string[];
  readonly leaving: readonly string[];
  /** Friends of the list. */
  readonly joined: number;
  readonly confirmed: number;
};

/** Call it after `insertEntrants`. */
export function readFreezeMoves(
  transaction: Transaction,
  { number, first }: { number: number; first: number },
) {
  return only<FreezeMoves>(transaction)`
    with line as (
      select member_id, row_number() over (order by sort_key) as position
      from (select * from standing order by sort_key limit ${first}::integer) ahead
    ), compared as (
      select coalesce(line.member_id, frozen.member_id) as member_id, line.position as before,
        frozen.position as after
      from line full join (
        select member_id, position from entrant where drop_number = ${number}::integer
      ) frozen using (member_id)
    )
    select count(*) filter (where before is distinct from after) as moved,
      coalesce(array_agg(own.email order by after) filter (where before is null), '{}') as entering,
      coalesce(array_agg(own.email order by before) filter (where after is null), '{}') as leaving,
      coalesce(sum(known.confirmed + known.unconfirmed) filter (where after is not null), 0)
        as joined,
      coalesce(sum(known.confirmed) filter (where after is not null), 0) as confirmed
    from compared
    cross join lateral (select * from member where id = compared.member_id offset 0) own
    cross join lateral (
      select referral_count - counting_friends(0, unconfirmed) as confirmed, unconfirmed
      from standing where member_id = compared.member_id offset 0
    ) known
  `;
}

export function deleteEntrants(transaction: Transaction, number: number) {
  return run(transaction)`delete from entrant where drop_number = ${number}`;
}

type EntrantRow = Omit<DrawEntrant, 'ticket'> & { readonly member_id: string };

export async function readEntrants({ kysely }: Reader, number: number): Promise<EntrantRow[]> {
  const rows = await all<Selectable<FeatureTables['entrant']>>(kysely)`
    select position, member_id, points, sizes, takes_any, losses, weight from entrant
    where drop_number = ${number} order by position
  `;
  return rows.map(({ losses, weight, ...entrant }) => ({
    ...entrant,
    ...(weight === null ? losses > 0 && { losses } : { weight }),
  }));
}

export function readEntrant(
  { kysely }: Reader,
  { number, memberId }: { number: number; memberId: string },
) {
  return first<NonNullable<MemberDrop['entrant']>>(kysely)`
    select drop_number as drop, position, draw_order, chosen_size from entrant
    where drop_number = ${number} and member_id = ${memberId}
  `;
}

export function countEntrants({ kysely }: Reader, number: number) {
  return only<EntrantCounts>(kysely)`
    select count(*) as entrants, count(*) filter (where held_credits > 0) as doubted,
      coalesce(sum(held_credits), 0) as held_credits,
      count(*) filter (where sizes <> '{}') as with_wish,
      count(*) filter (where losses > 0) as with_losses,
      count(*) filter (where weight > ${weightOf(0)}::integer) as heavier
    from entrant where drop_number = ${number}
  `;
}

export async function writeOrder(
  transaction: Transaction,
  number: number,
  order: readonly DrawPlace[],
): Promise<void> {
  const positions = order.map(({ position }) => position);
  const sizes = order.map(({ size }) => size);
  await run(transaction)`
    update entrant set draw_order = place.ordinal, chosen_size = place.size
    from unnest(${positions}::bigint[], ${sizes}::text[])
      with ordinality as place (position, size, ordinal)
    where entrant.drop_number = ${number} and entrant.position = place.position
  `;
}

export function readOrder({ kysely }: Reader, number: number) {
  return all<DrawPlace>(kysely)`
    select position, chosen_size as size from entrant
    where drop_number = ${number} and draw_order is not null order by draw_order
  `;
}

export type SizeWish = Pick<SizeWishView, 'sizes' | 'takes_any'>;

/** A member who made no wish takes any size. Null for an unknown member. */
export function readWish({ kysely }: Reader, memberId: string) {
  return first<SizeWish>(kysely)`
    select coalesce(sizes, '{}') as sizes, coalesce(takes_any, true) as takes_any
    from member left join size_wish on member_id = member.id where member.id = ${memberId}::uuid
  `;
}

/** Does nothing for an unknown member. */
export function upsertWish(
  transaction: Transaction,
  memberId: string,
  { sizes, takes_any }: SizeWish,
) {
  return run(transaction)`
    insert into size_wish (member_id, sizes, takes_any, wished_at)
    select id, ${sizes}::text[], ${takes_any}::boolean, clock_timestamp()
    from member where id = ${memberId}::uuid
    on conflict (member_id) do update set sizes = excluded.sizes,
      takes_any = excluded.takes_any, wished_at = excluded.wished_at
  `;
}

type Notifying = { readonly number: number; readonly frozen_at: Date; readonly next: number };

/** Locks the drop, so that one server at a time notifies them. */
export function readNotifying(transaction: Transaction) {
  return first<Notifying>(transaction)`
    select number, frozen_at, others_told_until as next from mask_drop
    where others_told_until < ${ALL_NOTIFIED}::bigint order by number limit 1 for update
  `;
}

/** Members who are mailed. Who was left out for the mask of another drop lost nothing. */
const runnersUp = ({ number, frozen_at }: Omit<Notifying, 'next'>): RawBuilder<unknown> => sql`
  member where joined_at <= ${frozen_at}::timestamptz and confirmed_at is not null and not exists (
    select from offer where member_id = member.id and (drop_number = ${number}::integer
      or ${IS_PASS} and not exists (
        select from entrant
        where entrant.drop_number = ${number}::integer and entrant.member_id = member.id)))`;

export function readRunnersUp(transaction: Transaction, drop: Notifying, limit: number) {
  return all<{ id: string; sequence: number }>(transaction)`
    select id, sequence from ${runnersUp(drop)} and sequence >= ${drop.next}::bigint
    order by sequence limit ${limit}::integer
  `;
}

export function countRunnersUp(transaction: Transaction, drop: Omit<Notifying, 'next'>) {
  return value<number>(transaction)`
    select count(*)::integer as members from ${runnersUp(drop)}
  `;
}

export const ALL_NOTIFIED = Number.MAX_SAFE_INTEGER;

type NextEntrant = Pick<
  Selectable<FeatureTables['entrant']>,
  'member_id' | 'sizes' | 'takes_any' | 'chosen_size'
>;

/** Entrants by card: those whose card holds the price, or held it until the draw. */
const AMONG = {
  all: sql`true`,
  held: sql`entry.state = 'held'`,
  entered: sql`entry.state = 'released' and why in ('not-drawn', 'lapsed')`,
};

export function readNextEntrants(
  transaction: Transaction,
  {
    number,
    sizes,
    among,
    limit,
  }: { number: number; sizes: readonly string[]; among: keyof typeof AMONG; limit: number },
) {
  return all<NextEntrant & { offer_id: string | null }>(transaction)`
    select entrant.member_id, entrant.sizes, takes_any, chosen_size, entry.offer_id
    from entrant join member on member.id = entrant.member_id
    left join checkout entry on entry.drop_number = entrant.drop_number
      and entry.member_id = entrant.member_id
    where entrant.drop_number = ${number}::integer and draw_order is not null and ${AMONG[among]}
      and (takes_any or entrant.sizes && ${sizes}::text[] or chosen_size = any(${sizes}::text[]))
      and not exists (
        select from offer
        where offer.drop_number = entrant.drop_number and offer.member_id = entrant.member_id)
    order by draw_order limit ${limit}::integer
  `;
}

/** The drawn entrant, and how many in line before them had no offer; null if not drawn. */
export function readEntrantOf(
  transaction: Transaction,
  { drop_number: number, member_id: id }: Pick<OfferRow, 'drop_number' | 'member_id'>,
) {
  return first<NextEntrant & { draw_order: number; waiting_before: number }>(transaction)`
    select own.member_id, own.sizes, own.takes_any, own.chosen_size, own.draw_order, (
      select count(*)::integer from entrant join member on member.id = entrant.member_id
      where entrant.drop_number = own.drop_number and entrant.draw_order < own.draw_order
        and not exists (select from offer
          where offer.drop_number = own.drop_number and offer.member_id = entrant.member_id)
    ) as waiting_before
    from entrant own
    where drop_number = ${number}::integer and member_id = ${id}::uuid and draw_order is not null
  `;
}

export function readUnreachable(transaction: Transaction, number: number) {
  return column<string>(transaction)`
    select member.email from entrant
    join member on member.id = entrant.member_id
    join mail_suppression known on known.member_id = member.id and known.reason <> 'stopped'
    where drop_number = ${number}::integer and chosen_size is not null order by draw_order
  `;
}

/** Notes whose card holds the price: nobody else is drawn. */
export function noteEntered(transaction: Transaction, number: number) {
  return run(transaction)`
    update entrant set has_entered = true from checkout
    where entrant.drop_number = ${number}::integer and checkout.drop_number = entrant.drop_number
      and checkout.member_id = entrant.member_id and checkout.state = 'held'
  `;
}

/** Positions that take part; empty where all do. */
export async function readEntered(
  { kysely }: Reader,
  { number, enter_until: until }: Pick<DropRow, 'number' | 'enter_until'>,
): Promise<Pick<DrawRecord, 'entered'>> {
  if (until === null) return {};
  const rows = await kysely
    .selectFrom('entrant')
    .select('position')
    .where('drop_number', '=', number)
    .where('has_entered', '=', true)
    .orderBy('position')
    .execute();
  return { entered: rows.map(({ position }) => position) };
}

export function countWishes({ kysely }: Reader, number: number) {
  return all<DropFacts['wishes'][number]>(kysely)`
    select sizes[1] as size, count(*)::integer as first from entrant
    where drop_number = ${number}::integer and sizes <> '{}'
    group by 1 order by 2 desc, 1
  `;
}

type Drawn = Pick<DropFacts, 'chosen' | 'following'>;

export function countDrawn({ kysely }: Reader, number: number) {
  return only<Drawn>(kysely)`
    select count(chosen_size)::integer as chosen,
      count(*) filter (where draw_order is not null and not exists (
        select from offer where offer.drop_number = entrant.drop_number
          and offer.member_id = entrant.member_id))::integer as following
    from entrant where drop_number = ${number}::integer
  `;
}

type HeldReward = Pick<Selectable<FeatureTables['reward']>, 'state' | 'asked_at' | 'sent_at'> & {
  readonly tier: number;
};

export async function readRewardsOf({ kysely }: Reader, memberId: string) {
  const standing = await first<{ referral_count: number }>(kysely)`
    select referral_count from standing where member_id = ${memberId}
  `;
  if (standing === null) return null;
  const rewards = await all<HeldReward>(kysely)`
    select tier_level as tier, state, asked_at, sent_at from reward where member_id = ${memberId}
  `;
  return { referrals: standing.referral_count, rewards };
}

type Reach = {
  readonly memberId: string;
  readonly canReturn: boolean;
  readonly isMailed: boolean;
};

export function readReach({ kysely }: Reader, ids: readonly string[]) {
  return all<Reach>(kysely)`
    select member.id as "memberId",
      not exists (
        select from mail_suppression where member_id = member.id and reason <> 'stopped'
      ) as "isMailed",
      exists (
        select from entrant cross join mask_size mask
        where entrant.drop_number = last.number and entrant.member_id = member.id
          and draw_order is not null and last.state in ('selected', 'offering')
          and (last.enter_until is null or exists (
            select from checkout where checkout.drop_number = last.number
              and checkout.member_id = member.id and why in ('not-drawn', 'lapsed')))
          and (takes_any or mask.name = any(entrant.sizes))
          and mask.stock > (
            select coalesce(sum(quantity), 0) from allocation
            where size = mask.name and released_at is null
          ) + (
            select count(*) from offer
            where offer.size = mask.name and ${IS_PASS})
          and not exists (
            select from offer
            where offer.drop_number = last.number and offer.member_id = member.id)
      ) as "canReturn"
    from member cross join (select * from mask_drop order by number desc limit 1) last
    where member.id = any(${ids}::uuid[])
  `;
}

import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { OfferFilter } from '../../../contract/drop/states.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import type { ListedOffer } from '../../../contract/operator/drop/listed-offers.ts';
import type { Reader } from '../../db/database.ts';
import { all, first, only } from '../../db/rows.ts';
import type { FeatureTables, OfferRow } from '../../db/schema/feature-tables.ts';
import { offerColumns } from '../offers/offer-store.ts';

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

type Joined = 'email' | 'kept_email' | 'has_address' | 'draw_order' | 'carrier' | 'tracking';
export type ListedRow = OfferRow & Pick<ListedOffer, Joined> & { readonly sent_at: Date | null };

const listed = sql`
  select ${offerColumns}, member.email, parcel.email as kept_email,
    address is not null as has_address, entrant.draw_order, sent_at, carrier, tracking
  from offer
  left join parcel on parcel.offer_id = offer.id
  join entrant on entrant.drop_number = offer.drop_number
    and entrant.member_id = offer.member_id
  left join member on member.id = offer.member_id`;

type OfferQuestion = {
  readonly number: number;
  readonly state: OfferFilter | null;
  readonly text: string;
  readonly after: string | null;
  readonly limit: number;
};

export function readOffers(
  { kysely }: Reader,
  { number, state, text, after, limit }: OfferQuestion,
) {
  return all<ListedRow>(kysely)`
    ${listed}
    where offer.drop_number = ${number}::integer
      and (${state}::text is null or offer_state(offer) = ${state}
        or ${state} = 'unaddressed' and state = 'paid' and address is null)
      and (${text} = ''
        or strpos(lower(coalesce(member.email, parcel.email)), lower(${text})) > 0
        or member.referral_code = upper(${text}) or offer.code = ${text}
        or offer.member_id::text = lower(${text}))
      and (${after}::uuid is null or (-extract(epoch from offer.offered_at), draw_order) > (
        select -extract(epoch from last.offered_at), place.draw_order
        from offer last join entrant place on place.drop_number = last.drop_number
          and place.member_id = last.member_id
        where last.id = ${after}::uuid))
    order by -extract(epoch from offer.offered_at), draw_order limit ${limit}::integer
  `;
}

export function readOffersTo({ kysely }: Reader, memberId: string) {
  return all<ListedRow>(kysely)`
    ${listed} where offer.member_id = ${memberId}::uuid order by offered_at desc
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

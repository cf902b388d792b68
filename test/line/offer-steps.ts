/** Random histories of a drop that offers masks, and a drop to begin them with. */
import fc from 'fast-check';
import { sql } from 'kysely';
import type { Database } from '../../server/db/database.ts';
import { beginTimes } from '../../server/drop/offers/offer-store.ts';
import { loadOffers } from '../../server/drop/views/drop-mails.ts';

export const SIZES = ['Small', 'Medium', 'Large'];
export const ENTRANTS = 9;

const entrant = fc.nat({ max: ENTRANTS - 1 });
const size = fc.constantFrom(...SIZES);
/** No sum of these is the twelve hours of an offer, so that no offer ends during a step. */
const hours = fc.constantFrom(-5, 5, 10);

export const offerStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('sweep'), servers: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('accept'), entrant }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('decline'), entrant }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('change'), entrant, size }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('stock'), size, stock: fc.nat({ max: 3 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('clock'), hours }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('redeem'),
      entrant,
      order: fc.constantFrom('1', '2'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reissue'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash') }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('mail') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('extend') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('by-hand'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('quiet'), isQuiet: fc.boolean() }) },
);
export type OfferStep = typeof offerStep extends fc.Arbitrary<infer Step> ? Step : never;

/** An entrant's wish, and the size that the draw gave them. */
export type Wish = {
  readonly sizes: readonly string[];
  readonly takes_any: boolean;
  readonly chosen_size: string | null;
};

const wish: fc.Arbitrary<Wish> = fc
  .record({
    sizes: fc.uniqueArray(size, { maxLength: 2 }),
    takes_any: fc.boolean(),
    chosen_size: fc.option(size),
  })
  .map((one) => ({ ...one, takes_any: one.takes_any || one.sizes.length === 0 }));

/** The entrants in draw order. */
export const wishes = fc.array(wish, { minLength: ENTRANTS, maxLength: ENTRANTS });

/** A drop that is selected, with these members in draw order, in place of all others. */
export async function selectMembers(
  { kysely }: Database,
  memberIds: readonly string[],
  wished: readonly Wish[],
  announced = SIZES.map(() => 1000),
): Promise<void> {
  const masks = announced.map((masks, index) => ({ size: SIZES[index], masks }));
  for (const table of ['checkout', 'offer', 'entrant', 'shop_code', 'mask_drop'])
    await sql`delete from ${sql.table(table)}`.execute(kysely);
  await sql`
    insert into mask_drop (number, state, frozen_at, salt, list_hash, announced_at, announcement,
      announcement_hash, selected_at)
    values (1, 'selected', now(), 'ab', 'ab', now(), ${JSON.stringify({ masks })}::jsonb, 'ab',
      now())
  `.execute(kysely);
  await kysely
    .insertInto('entrant')
    .values(
      memberIds.map((member_id, index) => ({
        drop_number: 1,
        // Not the draw order, so that offering in the order of positions would be noticed.
        position: memberIds.length - index,
        member_id,
        points: 0,
        held_credits: 0,
        sizes: [...(wished[index]?.sizes ?? [])],
        takes_any: wished[index]?.takes_any ?? true,
        draw_order: index + 1,
        chosen_size: wished[index]?.chosen_size ?? null,
      })),
    )
    .execute();
}

/** Sets the clock forward by so many hours, so to speak. */
export async function passHours({ kysely }: Database, hours: number): Promise<void> {
  const passed = sql`make_interval(hours => ${hours}::integer)`;
  await sql`
    update offer set offered_at = offered_at - ${passed}, expires_at = expires_at - ${passed},
      mailed_at = mailed_at - ${passed}, remind_at = remind_at - ${passed},
      reminded_at = reminded_at - ${passed}
  `.execute(kysely);
  await sql`update mask_drop set paused_at = paused_at - ${passed}`.execute(kysely);
}

/** Marks the mails of all open offers as handed over. */
export async function handOverMails(database: Database): Promise<void> {
  const open = await database.kysely.selectFrom('offer').select('id as offerId').execute();
  const offers = await loadOffers(database, open);
  await beginTimes(
    database,
    open.flatMap(({ offerId: id }, index) => {
      const times = offers[index]?.times;
      return times ? [{ id, ...times }] : [];
    }),
  );
}

/** Quiet hours that last all day, or none. */
export async function setQuiet({ kysely }: Database, isQuiet: boolean): Promise<void> {
  const hours = isQuiet
    ? { quiet_from: '00:00', quiet_until: '24:00' }
    : { quiet_from: null, quiet_until: null };
  await kysely.updateTable('mask_drop').set(hours).execute();
}

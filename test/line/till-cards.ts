/** The part of a till's histories in which members enter by card. */
import { sql } from 'kysely';
import type { CheckoutState } from '../../contract/drop/states.ts';
import { noteEntered } from '../../server/drop/entrant-store.ts';
import { hurryEntries } from '../../server/drop/till/checkout-store.ts';
import { enterDrop } from '../../server/drop/till/entries.ts';
import type { Card } from '../support/fake-far-side.ts';
import type { TillLine } from './till-line.ts';

export async function freezeByCard(line: TillLine, entering: readonly string[]): Promise<void> {
  await line.database.runSql(`
    update mask_drop set state = 'frozen', selected_at = null, announced_at = null,
      announcement = null, announcement_hash = null, refuses_prepaid = true,
      enter_until = clock_timestamp() + interval '2 days'`);
  for (const memberId of entering) await line.alone((all) => enterDrop(all, memberId));
}

/** Announces the draw, which fixes who takes part, and makes it the next time. */
export async function drawByCard(line: TillLine): Promise<void> {
  await line.alone(async (all) => {
    const announced = sql`
      update mask_drop set announced_at = clock_timestamp(), announcement_hash = 'ab',
        announcement = (
          select jsonb_build_object('masks', jsonb_agg(
            jsonb_build_object('size', name, 'masks', stock) order by name)) from mask_size)
      where announced_at is null`;
    const { numAffectedRows } = await announced.execute(all);
    if (numAffectedRows) return await noteEntered(all, 1);
    const drawn = sql`update mask_drop set state = 'selected', selected_at = clock_timestamp()`;
    await drawn.execute(all);
    await hurryEntries(all, 1);
  });
}

export const UNSETTLED: readonly CheckoutState[] = ['wanted', 'created', 'held', 'releasing'];

/** One is prepaid, and the bank of another refuses to pay. Two members may have the same. */
export const cardOf = (nth: number): Card => ({
  fingerprint: `card ${nth}`,
  funding: nth === 4 ? 'prepaid' : 'credit',
  isRefusing: nth === 5,
});

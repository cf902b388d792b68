import type { ChangeInput } from '../../../contract/operator/changes.ts';
import type { MaskSize } from '../../../contract/operator/masks.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Config } from '../../config.ts';
import type { Reader } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import { NO_MAIL_SERVER } from '../../mail/delivery/mail-stop-rules.ts';
import { readRefusal } from '../../mail/delivery/mail-stop-store.ts';
import { conflict, invalidField } from '../../problem.ts';
import { changeOf, lockDrop, lockDropIn, readNow, updateDrop } from '../drop-store.ts';
import { countDrawn, readUnreachable } from '../entrant-store.ts';
import { describeMinutes, describeMissingCodes, isTimeOfDay } from '../offers/offer-rules.ts';
import { assertTimeZone } from '../schedule/schedule-rules.ts';
import { markDone } from '../schedule/schedule-store.ts';
import { countCodes } from '../stock/code-store.ts';
import { sumHeld } from '../stock/size-rules.ts';
import { listSizes } from '../stock/store.ts';
import { planDays } from './day-rules.ts';

type Terms = ChangeInput<'start-offers'>;

/** Hours of a whole day: a pass ends at an hour at which its holder was awake. */
const USUAL_PAY_HOURS = 24;

export const openStartOffers = (
  config: Pick<Config, 'smtpUrl' | 'isTrial'>,
): Operation<'start-offers'> => ({
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, input) {
    if (config.smtpUrl === null && !config.isTrial) throw conflict(NO_MAIL_SERVER);
    const refusal = await readRefusal({ kysely: transaction });
    const { number, available } = await startOffers(transaction, input);
    const now = await readNow({ kysely: transaction });
    const unreachable = await readUnreachable(transaction, number);
    const { minutes, time_zone, quiet_from = null, quiet_until = null } = input;
    const { pay_hours = USUAL_PAY_HOURS } = input;
    return changeOf(number, {
      sentences: [
        ...(refusal === null ? [] : [refusal]),
        `${countOf(available, 'mask is', 'masks are')} offered in the draw order, within a ` +
          'minute: what was announced, as it was amended.',
        `Each offer stands for ${describeMinutes(minutes)}; masks that come back go to the next.`,
        `An accepted pass is paid within ${countOf(pay_hours, 'hour')}, if the till can say so.`,
        quiet_from === null
          ? 'There are no quiet hours.'
          : `Nobody is offered a mask from ${quiet_from} to ${quiet_until} (${time_zone}).`,
        'The first members are mailed at once: this cannot be undone.',
        ...(unreachable.length === 0
          ? []
          : [
              'Mail to these chosen members came back or was reported as spam, so none reaches ' +
                `them until you correct or resume their address: ${unreachable.join(', ')}.`,
            ]),
      ],
      days: await planStart(transaction, now, input),
      counts: { masks: available, unreachable: unreachable.length },
      summary: `Offering the masks of drop ${number} began.`,
      details: { minutes, time_zone, quiet_from, quiet_until, pay_hours },
    });
  },
});

/** Describes the days from a start at this time, with the stock of now, if its terms are right. */
export async function planStart(transaction: Transaction, at: Date, terms: Terms) {
  try {
    assertTerms(terms);
  } catch {
    return [];
  }
  const { minutes, time_zone, quiet_from = null, quiet_until = null } = terms;
  const { number, selected_at, announcement_hash: hash } = await lockDrop(transaction);
  const { following } = await countDrawn({ kysely: transaction }, number);
  const sizes = await listSizes({ kysely: transaction });
  const masks = {
    // None is held before the announcement, and all may be announced.
    available:
      hash === null ? sizes.reduce((sum, size) => sum + size.available, 0) : sumHeld(sizes),
    following: selected_at === null ? Number.POSITIVE_INFINITY : following,
  };
  return planDays(at, masks, { offer_minutes: minutes, time_zone, quiet_from, quiet_until });
}

function assertTerms({ quiet_from, quiet_until, time_zone }: Terms): void {
  if ((quiet_from === undefined) !== (quiet_until === undefined))
    throw invalidField('Quiet hours need both a beginning and an end.');
  for (const time of [quiet_from, quiet_until])
    if (time !== undefined && !isTimeOfDay(time))
      throw invalidField('Quiet hours are times such as 22:00.');
  if (quiet_from !== undefined && quiet_from === quiet_until)
    throw invalidField('Quiet hours cannot end when they begin.');
  assertTimeZone(time_zone);
}

/** Throws Problem conflict if imported codes are fewer than masks; returns the sizes. */
export async function assertCodes(reader: Reader): Promise<MaskSize[]> {
  const sizes = await listSizes(reader);
  const codes = await countCodes(reader);
  const missing = codes.length === 0 ? null : describeMissingCodes(sizes, codes);
  if (missing !== null)
    throw conflict(`Codes of the shop are missing: ${missing}. Import or make them first.`);
  return sizes;
}

export async function startOffers(transaction: Transaction, terms: Terms) {
  assertTerms(terms);
  const { minutes, time_zone, quiet_from = null, quiet_until = null } = terms;
  const { number } = await lockDropIn(transaction, 'selected');
  const sizes = await assertCodes({ kysely: transaction });
  await updateDrop(transaction, number, {
    state: 'offering',
    offering_at: await readNow({ kysely: transaction }),
    offer_minutes: minutes,
    time_zone,
    quiet_from,
    quiet_until,
    pay_hours: terms.pay_hours ?? USUAL_PAY_HOURS,
  });
  await markDone(transaction, number, 'start-offers');
  return { number, available: sumHeld(sizes) };
}

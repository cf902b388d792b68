import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { conflict, invalidField } from '../../problem.ts';
import { changeOf, getDrop, getDropNumber } from '../drop-store.ts';
import { mailAbout } from '../offers/settle-offer.ts';
import { insertAsked, markSent, type SentParcel } from '../passes/parcel-store.ts';

export const askAddressesOperation: Operation<'ask-addresses'> = {
  isForOwners: true,
  lock: null,
  async apply(transaction, { drop: wanted }) {
    const drop = await getDropNumber({ kysely: transaction }, wanted);
    const asked = await insertAsked(transaction, drop);
    if (asked.length === 0) throw conflict('Nobody whose mask is paid has yet to give an address.');
    await mailAbout(transaction, 'mask-address', asked);
    return changeOf(drop, {
      sentences: [
        `${countOf(asked.length, 'member is', 'members are')} asked by mail where the mask goes.`,
        'These are all whose mask is paid, and who have not said where it goes.',
      ],
      counts: { parcels: asked.length },
      summary: `${countOf(asked.length, 'member was', 'members were')} asked for an address.`,
    });
  },
};

export const markMasksSentOperation: Operation<'mark-masks-sent'> = {
  isForOwners: true,
  lock: null,
  async apply(transaction, { carrier, parcels: lines }) {
    const parcels = lines.map(readLine);
    const codes = parcels.map(({ code }) => code);
    const twice = codes.find((code, index) => codes.indexOf(code) !== index);
    if (twice !== undefined) throw invalidField(`The code ${twice} is in the list twice.`);
    const sent = await markSent(transaction, carrier, parcels);
    const left = codes.filter((wanted) => !sent.some(({ code }) => code === wanted));
    if (left.length > 0)
      throw conflict(
        'Nothing was marked: these are no passes, are not paid, or were sent or handed over at a ' +
          `door: ${left.join(', ')}.`,
      );
    const inLine = sent.filter((parcel) => parcel.is_in_line);
    await mailAbout(transaction, 'mask-sent', inLine);
    const away = sent.length - inLine.length;
    const masks = countOf(sent.length, 'mask');
    const { number } = await getDrop({ kysely: transaction });
    return changeOf(number, {
      sentences: [
        `${masks} ${sent.length === 1 ? 'is' : 'are'} marked as sent with ${carrier}.`,
        'Each member is mailed the tracking number.' +
          (away === 0 ? '' : ` ${countOf(away, 'has', 'have')} left the line: write to them.`),
      ],
      counts: { parcels: sent.length },
      summary: `${masks} ${sent.length === 1 ? 'was' : 'were'} marked as sent with ${carrier}.`,
      details: { members: sent.map(({ member_id }) => member_id) },
    });
  },
};

/** A code may have a comma; a tracking number has none. Spreadsheets may quote both. */
function readLine(line: string): SentParcel {
  const [, code, tracking] =
    /^\s*"?([^"]+?)"?\s*[,;\t]\s*"?([^",;\t]{1,100}?)"?\s*$/.exec(line) ?? [];
  if (code !== undefined && tracking !== undefined) return { code, tracking };
  throw invalidField(
    `A line is the code of a pass, a comma and its tracking number, unlike this one: ${line}`,
  );
}

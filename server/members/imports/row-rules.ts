import type { ImportField, ImportMapping } from '../../../contract/operator/imports/list-import.ts';
import { readReferralCode } from '../../../contract/referral-code-rules.ts';
import { readEmail } from '../../mail/email-rules.ts';
import { type DateFault, readMoment } from './moment-rules.ts';

export type ReadRow = {
  readonly shown: string;
  readonly email: string | null;
  readonly email_identity: string | null;
  readonly joined_at: Date | null;
  readonly row_id: string | null;
  readonly old_code: string | null;
  readonly referrer: string | null;
  readonly referrer_identity: string | null;
  readonly referrer_code: string | null;
  readonly stated_referrals: number | null;
  readonly kept_code: string | null;
  readonly fault: ReadFault | null;
};

type ReadFault = 'no_address' | 'bad_address' | 'other_width' | 'no_date' | DateFault;

type ReadOptions = {
  readonly mapping: ImportMapping;
  readonly width: number;
  readonly now: Date;
};

const LONGEST_KEY = 200;
const LONGEST_ADDRESS_TEXT = 1024;
const SHOWN_LENGTH = 100;
const MOST_REFERRALS = 500_000;

export function readRow(cells: readonly string[], options: ReadOptions): ReadRow {
  const { mapping, width, now } = options;
  const cell = (field: ImportField) => {
    const column = mapping.columns[field];
    return column === undefined ? '' : (cells[column] ?? '').trim();
  };
  const typed = cell('email');
  const address = typed.length > LONGEST_ADDRESS_TEXT ? null : readEmail(typed);
  const date = cell('joined_at');
  const moment = date === '' ? null : readMoment(date, { dates: mapping.dates, now });
  const referrer = readKey(cell('referrer'));
  const count = cell('referral_count');
  const oldCode = readKey(cell('referral_code'));
  return {
    shown: shownText(typed),
    email: address?.email ?? null,
    email_identity: address?.identity ?? null,
    joined_at: moment instanceof Date ? moment : null,
    row_id: readKey(cell('row_id')),
    old_code: oldCode,
    referrer,
    referrer_identity: referrer?.includes('@') ? (readEmail(referrer)?.identity ?? null) : null,
    referrer_code: referrer === null ? null : readReferralCode(referrer),
    stated_referrals: /^\d{1,6}$/.test(count) ? Math.min(Number(count), MOST_REFERRALS) : null,
    kept_code: oldCode === null ? null : readReferralCode(oldCode),
    fault: findFault(),
  };

  function findFault(): ReadFault | null {
    if (cells.length !== width) return 'other_width';
    if (typed === '') return 'no_address';
    if (address === null) return 'bad_address';
    if (typeof moment === 'string') return moment;
    return moment === null && mapping.order === 'joined_at' ? 'no_date' : null;
  }
}

function readKey(text: string): string | null {
  const isKept = text !== '' && text.length <= LONGEST_KEY && !text.includes('\0');
  return isKept && text.isWellFormed() ? text : null;
}

/** Replaces characters that a screen would not show or the database would not store. */
function shownText(text: string): string {
  return text.slice(0, SHOWN_LENGTH).toWellFormed().replaceAll(/\p{C}/gu, '\uFFFD');
}

import type { ImportField } from '../../../contract/member-fields.ts';
import type { MailState } from '../../../contract/member-states.ts';
import type { ImportMapping } from '../../../contract/operator/imports/list-import.ts';
import { readReferralCode } from '../../../contract/referral-code-rules.ts';
import { SOURCE_FIELDS } from '../../../contract/sources.ts';
import type { CsvRecord } from '../../csv/read-csv.ts';
import { MAX_ADJUSTMENT } from '../../line/line-rules.ts';
import { readSource } from '../../line/sources/source-rules.ts';
import { emailFault, readEmail } from '../../mail/email-rules.ts';
import { readMoment } from './moment-rules.ts';

type ReadOptions = {
  readonly mapping: ImportMapping;
  readonly width: number;
  readonly now: Date;
};

const LONGEST_KEY = 200;
const SHOWN_LENGTH = 100;
const MOST_REFERRALS = 500_000;
/** Google Contacts joins several addresses of one kind. */
const NEXT_ADDRESS = ' ::: ';
/** What tools call the states of mail in their exports. */
const MAIL_WORDS: Readonly<Record<MailState | 'unconfirmed', string>> = {
  sending:
    'sending active subscribed confirmed yes true aktiv abonniert ja wahr activo si verdadero',
  unconfirmed: 'unconfirmed inactive pending unbestatigt ausstehend inaktiv pendiente inactivo',
  stopped:
    'stopped unsubscribed nonsubscribed neversubscribed cancelled canceled optedout archived ' +
    'deleted blocklisted no false abgemeldet abbestellt nein falsch baja cancelado falso',
  bounced: 'bounced cleaned invalid hardbounce hardbounced',
  complained: 'complained spam junk spamcomplaint reportedspam',
};
const WITHHELD = ['pending', 'held', 'refused'];
/** As a spreadsheet writes it in English, German and Spanish. */
const TRUE = /^(?:true|wahr|verdadero)$/i;
const SIGNED = /^[+-]?\d{1,5}$/;

export type ReadRow = ReturnType<typeof readRow>;

export function readRow({ cells, line }: CsvRecord, { mapping, width, now }: ReadOptions) {
  const cell = (field: ImportField) => {
    const column = mapping.columns[field];
    return column === undefined ? '' : (cells[column] ?? '').trim();
  };
  const [typed = ''] = cell('email').split(NEXT_ADDRESS);
  const address = readEmail(typed);
  const momentOf = (text: string) =>
    text === '' ? null : readMoment(text, { dates: mapping.dates, now });
  const moment = momentOf(cell('joined_at'));
  const confirmation = momentOf(cell('confirmed_at'));
  const mailState = readMailState(cell('mail_state') || 'sending');
  const isUnconfirmed =
    mailState === 'unconfirmed' ||
    (mapping.columns.confirmed_at !== undefined && confirmation === null);
  const credit = cell('credit').toLowerCase();
  const adjustment = cell('point_adjustment') || '0';
  const referrer = readKey(cell('referrer'));
  const count = cell('referral_count');
  const oldCode = readKey(cell('referral_code'));
  return {
    line,
    shown: shownText(typed),
    /** The columns of the member that the row alone decides. */
    member: {
      email: address?.email ?? null,
      point_adjustment: SIGNED.test(adjustment) ? Number(adjustment) : 0,
    },
    email_identity: address?.identity ?? null,
    joined_at: moment instanceof Date ? moment : null,
    row_id: readKey(cell('row_id')),
    old_code: oldCode,
    referrer_key: referrer,
    referrer_address: referrer?.includes('@') ? (readEmail(referrer)?.identity ?? null) : null,
    referrer_code: referrer === null ? null : readReferralCode(referrer),
    stated_referrals: /^\d{1,6}$/.test(count) ? Math.min(Number(count), MOST_REFERRALS) : null,
    kept_code: oldCode === null ? null : readReferralCode(oldCode),
    confirmed_at: confirmation instanceof Date ? confirmation : null,
    is_unconfirmed: isUnconfirmed,
    was_invited: TRUE.test(cell('is_invited')),
    /** pending, held or refused, as the file says; null: as the import decides. */
    credit: withheldCredit(),
    mail_state: mailState === 'sending' || mailState === 'unconfirmed' ? null : (mailState ?? null),
    source: readSource(
      new URLSearchParams(Object.fromEntries(SOURCE_FIELDS.map((field) => [field, cell(field)]))),
      '',
    ),
    fault: findFault(),
  };

  function withheldCredit(): string | null {
    if (WITHHELD.includes(credit)) return credit;
    return credit === '' && isUnconfirmed ? 'pending' : null;
  }

  function findFault(): string | null {
    // Cells that are missing at the end are empty.
    if (cells.slice(width).some((cell) => cell.trim() !== '')) return 'too_wide';
    if (typed === '') return 'no_address';
    if (address === null) return emailFault(typed);
    if (typeof moment === 'string') return moment;
    if (typeof confirmation === 'string') return 'bad_confirmation';
    if (!['', 'none', 'given', ...WITHHELD].includes(credit)) return 'bad_credit';
    if (!SIGNED.test(adjustment) || Math.abs(Number(adjustment)) > MAX_ADJUSTMENT)
      return 'bad_points';
    if (mailState === undefined) return 'bad_mail_state';
    return moment === null && mapping.order === 'joined_at' ? 'no_date' : null;
  }
}

/** A state by the word of another tool, or by the time since which nobody mails them. */
export function readMailState(text: string): MailState | 'unconfirmed' | undefined {
  const word = plainWord(text);
  const states = Object.keys(MAIL_WORDS) as (MailState | 'unconfirmed')[];
  const named = states.find((state) => MAIL_WORDS[state].split(' ').includes(word));
  return named ?? (/\d[-/.]\d/.test(text) ? 'stopped' : undefined);
}

/** The text without case, accents, spaces and punctuation. */
export function plainWord(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function readKey(text: string): string | null {
  const isKept = text !== '' && text.length <= LONGEST_KEY && !text.includes('\0');
  return isKept && text.isWellFormed() ? text : null;
}

/** Replaces characters that a screen would not show or the database would not store. */
function shownText(text: string): string {
  return text.slice(0, SHOWN_LENGTH).toWellFormed().replaceAll(/\p{C}/gu, '\uFFFD');
}

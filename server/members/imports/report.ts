import type { ReportPage } from '../../../contract/operator/imports/list-import.ts';
import type { Database } from '../../db/database.ts';
import { pageOf } from '../../http/cursor-rules.ts';
import { EMAIL_FAULTS } from '../../mail/email-rules.ts';
import { countFriends, type Row } from './compare-rules.ts';
import { type ReportLine, readImport, readLines } from './import-store.ts';

const PAGE_SIZE = 100;

/** Why a row is left out, and what of another one is imported otherwise, in the order of notes. */
const SENTENCES: Readonly<Record<string, string | ((row: Row) => string)>> = {
  too_wide: 'The row has more cells than the first line.',
  no_address: 'There is no address.',
  ...EMAIL_FAULTS,
  bad_address: 'This is not an e-mail address.',
  no_date: 'There is no time of joining, and the order follows it.',
  bad_date: 'The time of joining cannot be read.',
  ambiguous_date: 'The date can be read in two ways: say whether the day or the month is first.',
  future_date: 'The time of joining is in the future.',
  bad_confirmation: 'The time of confirmation cannot be read.',
  bad_credit: 'The credit is none of given, pending, held, refused and none.',
  bad_points: 'The points given by an operator are no number, or more than 10,000.',
  bad_mail_state: 'The state of mail is none of sending, stopped, bounced and complained.',
  in_line: 'The address is in line already.',
  duplicate: ({ first }) => `The address is in line ${first?.line} of the file, too.`,
  own_referrer: 'The row names itself as the referrer: imported without one.',
  unknown_referrer: 'The referrer is neither in the file nor in line: imported without one.',
  new_code: 'The referral code cannot be kept: the member gets a new one.',
  no_mail: 'Mail to them was stopped or came back: they join, and get none.',
  referral_circle: 'The referrers form a circle: imported without one.',
  before_others: 'The row above joined later: the list is not in the order of its times.',
  fewer_friends: (row) =>
    `The old list counts ${row.stated_referrals} friends, of whom ${countFriends(row)} are ` +
    `in the file: ${(row.stated_referrals ?? 0) - countFriends(row)} give no points.`,
};

export async function readReport(
  database: Database,
  importId: string,
  after: number,
): Promise<ReportPage> {
  const { id } = await readImport(database.kysely, importId);
  const lines = await readLines(database, { importId: id, after, limit: PAGE_SIZE + 1 });
  const { shown, next } = pageOf(lines, PAGE_SIZE, ({ line }) => line);
  return { lines: shown, next };
}

const KINDS = Object.keys(SENTENCES);

/** What a report says of a row, in sentences. */
export function lineOf(row: Row): ReportLine {
  const { line, shown, fault } = row;
  const kinds = fault === null ? KINDS.filter((kind) => row.notes.includes(kind)) : [fault];
  const said = kinds.map((kind) => {
    const sentence = SENTENCES[kind] ?? kind;
    return typeof sentence === 'string' ? sentence : sentence(row);
  });
  const [why = null] = fault === null ? [] : said;
  return { line, cell: shown, fault: why, notes: fault === null ? said : [] };
}

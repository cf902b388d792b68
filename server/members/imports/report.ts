import type { ReportPage } from '../../../contract/operator/imports/list-import.ts';
import type { Database } from '../../db/database.ts';
import { pageOf } from '../../http/cursor-rules.ts';
import { EMAIL_FAULTS } from '../../mail/email-rules.ts';
import type { Row } from './compare-rules.ts';
import { type ReportLine, readImport, readLines } from './import-store.ts';

const PAGE_SIZE = 100;

const FAULTS: Readonly<Record<string, string>> = {
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
};

const NOTES: Readonly<Record<string, string>> = {
  own_referrer: 'The row names itself as the referrer: imported without one.',
  unknown_referrer: 'The referrer is neither in the file nor in line: imported without one.',
  referral_circle: 'The referrers form a circle: imported without one.',
  before_others: 'The row above joined later: the list is not in the order of its times.',
  no_mail: 'Mail to them was stopped or came back: they join, and get none.',
  new_code: 'The referral code cannot be kept: the member gets a new one.',
};

export async function readReport(
  database: Database,
  importId: string,
  after: number,
): Promise<ReportPage> {
  const { id } = await readImport(database.kysely, importId);
  const lines = await readLines(database, { importId: id, after, limit: PAGE_SIZE + 1 });
  const { shown, next } = pageOf(lines, PAGE_SIZE, ({ ordinal }) => ordinal);
  return { lines: shown.map(({ ordinal: _, ...line }) => line), next };
}

/** What a report says of a row, in sentences. */
export function lineOf(row: Row): ReportLine {
  const notes = row.fault === null ? row.notes.map((note) => noteOf(note, row)) : [];
  return { ordinal: row.ordinal, line: row.line, cell: row.shown, fault: faultOf(row), notes };
}

function faultOf({ fault, first_line }: Row): string | null {
  if (fault === null) return null;
  if (fault === 'duplicate') return `The address is in line ${first_line} of the file, too.`;
  return FAULTS[fault] ?? fault;
}

function noteOf(note: string, { stated_referrals, friends }: Row): string {
  if (note !== 'fewer_friends') return NOTES[note] ?? note;
  const more = (stated_referrals ?? 0) - friends;
  return (
    `The old list counts ${stated_referrals} friends, of whom ${friends} are in the file: ` +
    `${more} give no points.`
  );
}

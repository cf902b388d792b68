import type {
  ImportMapping,
  ListImport,
  ReportPage,
} from '../../../contract/operator/imports/list-import.ts';
import { EMAIL_FAULTS } from '../../mail/email-rules.ts';
import type { ReadRow } from './row-rules.ts';

/** A row of a file, and what the others and the line make of it. */
export type Row = ReadRow & {
  readonly notes: string[];
  /** The row that joins with this address, if this one is its duplicate. */
  first: Row | null;
  /** The referrer in this file, and in line. */
  referrer: Row | null;
  referrer_id: string | null;
  readonly friends: Row[];
  /** The member in line with this address, or who comes of the row. */
  member_id: string | null;
  place: number;
};

/** What a report says of a row that is left out or has a note. */
export type ReportLine = ReportPage['lines'][number];

/** A member in line, by what a file may call them. */
export type Member = Readonly<Record<'id' | 'email_identity' | 'referral_code', string>>;

export type Piece = ReturnType<typeof draftPiece>;
export type Draft = Piece['drafts'][number];
/** A friend who has joined, and their referrer, who joins now. */
export type Link = Piece['links'][number];

type Order = Pick<ImportMapping, 'order'>;

const SETTLED_AT_ONCE = 5_000;
const NO_REFERRER = {
  referrer_key: null,
  referrer_address: null,
  referrer_code: null,
  referrer: null,
};

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
const KINDS = Object.keys(SENTENCES);

export function openRow(read: ReadRow): Row {
  const found = { first: null, referrer: null, referrer_id: null, member_id: null };
  return { ...read, ...found, notes: [], friends: [], place: 0 };
}

/**
 * Compares the rows of a file, and orders them as they join. Decides what the file alone says, so
 * that an import that goes on finds the same places. Yields after some milliseconds, so that others
 * can be served.
 */
export function* settleRows(rows: Row[], { order }: Order): Generator<void> {
  const timeOf = ({ joined_at }: Row) => (order === 'file' ? 0 : (joined_at?.getTime() ?? 0));
  const joining = new Map<string, Row>();
  const addressOf = { code: new Map<string, string>(), id: new Map<string, string>() };
  const keptCodes = new Set<string>();
  for (const [index, row] of rows.entries()) {
    learn(row);
    if (index % SETTLED_AT_ONCE === 0) yield;
  }
  for (const [index, row] of rows.entries()) {
    if (row.fault === null) judge(row);
    if (index % SETTLED_AT_ONCE === 0) yield;
  }
  const invited = rows.filter(({ referrer }) => referrer !== null);
  yield;
  for (const row of findCircles(invited)) dropReferrer(row, 'referral_circle');
  yield;
  for (const row of invited) row.referrer?.friends.push(row);
  yield;
  rows.sort((one, other) => timeOf(one) - timeOf(other));
  for (const [index, row] of rows.entries()) row.place = index + 1;

  function learn(row: Row): void {
    const { fault, email_identity: address, old_code: code, row_id: id } = row;
    if (address === null) return;
    if (code !== null && !addressOf.code.has(code)) addressOf.code.set(code, address);
    if (id !== null && !addressOf.id.has(id)) addressOf.id.set(id, address);
    const first = joining.get(address);
    const isFirst = first === undefined || timeOf(row) < timeOf(first);
    if (fault === null && isFirst) joining.set(address, row);
  }

  function judge(row: Row): void {
    const first = joining.get(row.email_identity ?? '') ?? row;
    if (first !== row) {
      row.fault = 'duplicate';
      row.first = first;
      return;
    }
    if (row.referrer_key !== null) findReferrer(row, row.referrer_key);
    if (row.kept_code !== null && keptCodes.has(row.kept_code)) row.kept_code = null;
    if (row.kept_code !== null) keptCodes.add(row.kept_code);
    else if (row.old_code !== null) row.notes.push('new_code');
    if (row.mail_state !== null) row.notes.push('no_mail');
  }

  /** A row that is left out as a duplicate stands for the member whom the line gets or has. */
  function findReferrer(row: Row, key: string): void {
    row.referrer_address ??= addressOf.code.get(key) ?? addressOf.id.get(key) ?? null;
    if (row.referrer_address !== null) row.referrer_code = null;
    row.referrer = joining.get(row.referrer_address ?? '') ?? null;
    if (row.referrer === row) dropReferrer(row, 'own_referrer');
  }
}

function dropReferrer(row: Row, note: string): void {
  row.notes.push(note);
  Object.assign(row, NO_REFERRER);
}

/** Compares with the line as it is, of which these are the members whom the rows name. */
export function compareWithLine(rows: readonly Row[], members: readonly Member[]): void {
  const byAddress = new Map(members.map(({ id, email_identity: address }) => [address, id]));
  const byCode = new Map(members.map(({ id, referral_code: code }) => [code, id]));
  for (const row of rows) {
    if (row.fault !== null && row.fault !== 'duplicate') continue;
    row.member_id = byAddress.get(row.email_identity ?? '') ?? null;
    if (row.member_id !== null) row.fault = 'in_line';
    if (row.fault !== null) continue;
    const { referrer, referrer_key, referrer_address: address, referrer_code: code } = row;
    row.referrer_id = byAddress.get(address ?? '') ?? byCode.get(code ?? '') ?? null;
    const isKnown = referrer !== null || row.referrer_id !== null;
    if (referrer_key !== null && !isKnown) row.notes.push('unknown_referrer');
    if (byCode.has(row.kept_code ?? '')) row.notes.push('new_code');
  }
}

/**
 * What a piece does to the line that it was compared with, once each of its rows has a member. A
 * row whose referrer joins later in the list counts as invited from the beginning.
 */
export function draftPiece(piece: readonly Row[]) {
  const from = piece[0]?.place ?? 0;
  const last = piece.at(-1)?.place ?? 0;
  const joiners = piece.filter(({ fault }) => fault === null);
  const drafts = joiners.map(({ referrer, first: _first, friends: _friends, ...row }) => {
    const { place = 0, member_id: host = null } = referrer ?? {};
    const referrer_id = row.referrer_id ?? (place >= from ? host : null);
    const was_invited = referrer_id !== null || row.was_invited || place > last;
    return { ...row, referrer_id, was_invited };
  });
  const links = piece.flatMap(({ member_id: referrer_id, friends }) =>
    friends
      .filter(({ place }) => place < from)
      .map(({ email_identity, credit }) => ({ email_identity, referrer_id, credit })),
  );
  return { last, drafts, links, met: piece.length - drafts.length };
}

/** Sums up rows that are compared with the line, and notes what only all of them show. */
export function summarizeRows(
  rows: readonly Row[],
  { order }: Order,
): NonNullable<ListImport['report']> {
  const joiners = rows.filter(({ fault }) => fault === null);
  if (order === 'file') noteTimes(joiners);
  for (const row of joiners)
    if ((row.stated_referrals ?? 0) > countFriends(row)) row.notes.push('fewer_friends');
  const kinds: Record<string, number> = {};
  for (const { fault, notes } of rows)
    for (const kind of fault === null ? notes : [fault]) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const credited = joiners.filter(({ credit, referrer_id: id }) => credit === null && id);
  return {
    rows: rows.length,
    importable: joiners.length,
    left_out: rows.length - joiners.length,
    noted: joiners.filter(({ notes }) => notes.length > 0).length,
    invited: joiners.filter((row) => row.referrer_id ?? row.referrer).length,
    credited_in_line: new Set(credited.map(({ referrer_id: id }) => id)).size,
    kinds,
  };
}

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

/** Says once that the order of the file is not that of its times. */
function noteTimes(joiners: readonly Row[]): void {
  const timed = joiners.filter(({ joined_at }) => joined_at !== null);
  timed
    .find(({ joined_at }, index) => (joined_at ?? 0) < (timed[index - 1]?.joined_at ?? 0))
    ?.notes.push('before_others');
}

/** Friends in the file who give points. */
export function countFriends({ friends }: Row): number {
  return friends.filter(({ fault, credit }) => fault === null && credit === null).length;
}

/** The rows whose referrers lead back to them. */
export function findCircles<One extends { readonly referrer: One | null }>(rows: readonly One[]) {
  const metFrom = new Map<One, One>();
  const inCircles = new Set<One>();
  for (const start of rows) {
    let row: One | null = start;
    for (; row !== null && !metFrom.has(row); row = row.referrer) metFrom.set(row, start);
    // The walk has met itself, and goes around once more.
    for (; row !== null && metFrom.get(row) === start && !inCircles.has(row); row = row.referrer)
      inCircles.add(row);
  }
  return inCircles;
}

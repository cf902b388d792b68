import type { ImportMapping, ListImport } from '../../../contract/operator/imports/list-import.ts';
import type { ReadRow } from './row-rules.ts';

/** A row of a file, and what the others and the line make of it. */
export type Row = {
  readonly read: ReadRow;
  readonly ordinal: number;
  readonly line: number;
  fault: string | null;
  readonly notes: string[];
  /** The row that joins with this address, if this one is its duplicate. */
  first: Row | null;
  code: string | null;
  /** What the line may know the referrer by; nulls once they are dropped. */
  wanted: Readonly<Record<'address' | 'code', string | null>>;
  /** The referrer in this file, and in line. */
  referrer: Row | null;
  referrer_id: string | null;
  readonly friends: Row[];
  /** The member in line with this address, or who comes of the row. */
  member_id: string | null;
  /** What the order goes by. */
  readonly time: number;
  place: number;
};

/** A member in line, by what a file may call them. */
export type Member = Readonly<Record<'id' | 'email_identity' | 'referral_code', string>>;

export type Piece = ReturnType<typeof draftPiece>;
export type Draft = Piece['drafts'][number];
/** A friend who has joined, and their referrer, who joins now. */
export type Link = Piece['links'][number];

const NOBODY = { address: null, code: null };
const SETTLED_AT_ONCE = 5_000;

/** Compares the rows of a file with each other, when all are added. */
export function openComparison({ order }: Pick<ImportMapping, 'order'>) {
  const rows: Row[] = [];
  const joining = new Map<string, Row>();
  const addressOfCode = new Map<string, string>();
  const addressOfId = new Map<string, string>();
  const keptCodes = new Set<string>();

  function add(read: ReadRow, line: number): void {
    const { fault, kept_code: code, email_identity: address, old_code, row_id } = read;
    const row: Row = {
      read,
      ordinal: rows.length + 1,
      line,
      fault,
      notes: [],
      first: null,
      code,
      wanted: NOBODY,
      referrer: null,
      referrer_id: null,
      friends: [],
      member_id: null,
      time: order === 'file' ? 0 : (read.joined_at?.getTime() ?? 0),
      place: 0,
    };
    rows.push(row);
    if (address === null) return;
    if (old_code !== null && !addressOfCode.has(old_code)) addressOfCode.set(old_code, address);
    if (row_id !== null && !addressOfId.has(row_id)) addressOfId.set(row_id, address);
    const first = joining.get(address);
    if (fault === null && (first === undefined || row.time < first.time)) joining.set(address, row);
  }

  /**
   * Decides what the file alone says, so that an import that goes on finds the same places, in
   * whose order the rows are then. Yields after some milliseconds, so that others can be served.
   */
  function* settle(): Generator<void> {
    for (const row of rows) {
      if (row.fault === null) judgeAlone(row);
      if (row.ordinal % SETTLED_AT_ONCE === 0) yield;
    }
    const invited = rows.filter(({ referrer }) => referrer !== null);
    yield;
    for (const row of findCircles(invited, ({ referrer }) => referrer))
      dropReferrer(row, 'referral_circle');
    yield;
    for (const row of invited) row.referrer?.friends.push(row);
    yield;
    rows.sort((one, other) => one.time - other.time);
    for (const [index, row] of rows.entries()) row.place = index + 1;
  }

  function judgeAlone(row: Row): void {
    const first = joining.get(row.read.email_identity ?? '') ?? row;
    if (first !== row) {
      row.fault = 'duplicate';
      row.first = first;
      return;
    }
    findReferrer(row);
    if (row.code !== null && keptCodes.has(row.code)) row.code = null;
    if (row.code !== null) keptCodes.add(row.code);
    else if (row.read.old_code !== null) row.notes.push('new_code');
    if (row.read.mail_state !== null) row.notes.push('no_mail');
  }

  /** A row that is left out as a duplicate stands for the member whom the line gets or has. */
  function findReferrer(row: Row): void {
    const { referrer, referrer_identity: typed, referrer_code: code } = row.read;
    if (referrer === null) return;
    const address = typed ?? addressOfCode.get(referrer) ?? addressOfId.get(referrer) ?? null;
    row.wanted = { address, code: address === null ? code : null };
    row.referrer = joining.get(address ?? '') ?? null;
    if (row.referrer === row) dropReferrer(row, 'own_referrer');
  }

  return { rows, add, settle };
}

function dropReferrer(row: Row, note: string): void {
  row.notes.push(note);
  row.wanted = NOBODY;
  row.referrer = null;
}

/** Compares with the line as it is, of which these are the members whom the rows name. */
export function compareWithLine(rows: readonly Row[], members: readonly Member[]): void {
  const byAddress = new Map(members.map(({ id, email_identity: address }) => [address, id]));
  const byCode = new Map(members.map(({ id, referral_code: code }) => [code, id]));
  for (const row of rows) {
    if (row.fault !== null && row.fault !== 'duplicate') continue;
    row.member_id = byAddress.get(row.read.email_identity ?? '') ?? null;
    if (row.member_id !== null) row.fault = 'in_line';
    if (row.fault !== null) continue;
    const { address, code } = row.wanted;
    row.referrer_id = byAddress.get(address ?? '') ?? byCode.get(code ?? '') ?? null;
    const isKnown = row.referrer !== null || row.referrer_id !== null;
    if (row.wanted !== NOBODY && !isKnown) row.notes.push('unknown_referrer');
    if (byCode.has(row.code ?? '')) row.notes.push('new_code');
  }
}

/**
 * What a piece does to the line that it was compared with, once each of its rows has a member. A
 * row whose referrer joins later in the list counts as invited from the beginning.
 */
export function draftPiece(piece: readonly Row[]) {
  const first = piece[0]?.place ?? 0;
  const last = piece.at(-1)?.place ?? 0;
  const joiners = piece.filter(({ fault }) => fault === null);
  const drafts = joiners.map(({ read, code, referrer, referrer_id: known, member_id }) => {
    const { place = 0, member_id: host = null } = referrer ?? {};
    const referrer_id = known ?? (place >= first ? host : null);
    const was_invited = referrer_id !== null || read.was_invited || place > last;
    return { ...read, member_id, kept_code: code, referrer_id, was_invited };
  });
  const links = piece.flatMap(({ member_id: referrer_id, friends }) =>
    friends
      .filter(({ place }) => place < first)
      .map(({ read: { email_identity, credit } }) => ({ email_identity, referrer_id, credit })),
  );
  return { last, drafts, links, met: piece.length - drafts.length };
}

/** Sums up rows that are compared with the line, and notes what only all of them show. */
export function summarizeRows(
  rows: readonly Row[],
  { order }: Pick<ImportMapping, 'order'>,
): NonNullable<ListImport['report']> {
  const joiners = rows.filter(({ fault }) => fault === null);
  if (order === 'file') noteTimes(joiners);
  for (const row of joiners)
    if ((row.read.stated_referrals ?? 0) > countFriends(row)) row.notes.push('fewer_friends');
  const kinds: Record<string, number> = {};
  for (const { fault, notes } of rows)
    for (const kind of fault === null ? notes : [fault]) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const credited = joiners.filter(({ read, referrer_id: id }) => read.credit === null && id);
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

/** Says once that the order of the file is not that of its times. */
function noteTimes(joiners: readonly Row[]): void {
  const timed = joiners.filter(({ read }) => read.joined_at !== null);
  timed
    .find(({ read }, index) => (read.joined_at ?? 0) < (timed[index - 1]?.read.joined_at ?? 0))
    ?.notes.push('before_others');
}

/** Friends in the file who give points. */
export function countFriends({ friends }: Row): number {
  return friends.filter(({ fault, read }) => fault === null && read.credit === null).length;
}

/** The rows whose referrers lead back to them. */
export function findCircles<Row>(
  rows: readonly Row[],
  referrerOf: (row: Row) => Row | null,
): ReadonlySet<Row> {
  const metFrom = new Map<Row, Row>();
  const inCircles = new Set<Row>();
  for (const start of rows) {
    let row: Row | null = start;
    for (; row !== null && !metFrom.has(row); row = referrerOf(row)) metFrom.set(row, start);
    // The walk has met itself, and goes around once more.
    for (; row !== null && metFrom.get(row) === start && !inCircles.has(row); row = referrerOf(row))
      inCircles.add(row);
  }
  return inCircles;
}

import type { ImportMapping, ListImport } from '../../../contract/operator/imports/list-import.ts';
import type { ReadRow } from './row-rules.ts';

/** A row of a file, as the others and the line make it. */
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
  /** The referrer in this file, or in line. */
  referrer: Row | null;
  referrer_id: string | null;
  readonly friends: Row[];
  /** What the order goes by. */
  readonly time: number;
  place: number;
};

/** A member in line, by what a file may call them. */
export type Member = {
  readonly id: string;
  readonly email_identity: string;
  readonly referral_code: string;
  /** Whether an earlier piece of this list made them a member. */
  readonly is_imported: boolean;
};

/** A row, the id of the member who comes of it, and the code unless they keep the old one. */
type Joiner = { readonly row: Row; readonly member_id: string; readonly new_code: string };

export type Piece = ReturnType<ReturnType<typeof openComparison>['draft']>;
export type Draft = Piece['drafts'][number];
/** A friend who has joined, and their referrer, who joins now. */
export type Link = Piece['links'][number];

const NOBODY = { address: null, code: null };
const SETTLED_AT_ONCE = 5_000;

/** Compares the rows of a file with each other, when all are added, and then with the line. */
export function openComparison({ order }: Pick<ImportMapping, 'order'>) {
  const rows: Row[] = [];
  const joining = new Map<string, Row>();
  const addressOfCode = new Map<string, string>();
  const addressOfId = new Map<string, string>();
  let inOrder: readonly Row[] = [];

  function add(read: ReadRow, line: number): void {
    const { fault, kept_code: code, email_identity: address, old_code, row_id } = read;
    const undecided = { first: null, wanted: NOBODY, referrer: null, referrer_id: null, place: 0 };
    const time = order === 'file' ? 0 : (read.joined_at?.getTime() ?? 0);
    const own = { ordinal: rows.length + 1, line, time, notes: [], friends: [] };
    const row: Row = { read, fault, code, ...own, ...undecided };
    rows.push(row);
    if (address === null) return;
    if (old_code !== null && !addressOfCode.has(old_code)) addressOfCode.set(old_code, address);
    if (row_id !== null && !addressOfId.has(row_id)) addressOfId.set(row_id, address);
    const first = joining.get(address);
    if (fault === null && (first === undefined || time < first.time)) joining.set(address, row);
  }

  /**
   * Decides what the file alone says, so that an import that goes on finds the same places.
   * Yields after some milliseconds, so that others can be served.
   */
  function* settle(): Generator<void> {
    inOrder = [...rows].sort((one, other) => one.time - other.time);
    for (const [index, row] of inOrder.entries()) row.place = index + 1;
    const keptCodes = new Set<string>();
    for (const row of rows) {
      if (row.fault === null) judgeAlone(row, keptCodes);
      if (row.ordinal % SETTLED_AT_ONCE === 0) yield;
    }
    const invited = rows.filter(({ referrer }) => referrer !== null);
    yield;
    for (const row of findCircles(invited, ({ referrer }) => referrer))
      dropReferrer(row, 'referral_circle');
    yield;
    for (const row of invited) row.referrer?.friends.push(row);
  }

  function judgeAlone(row: Row, keptCodes: Set<string>): void {
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

  function dropReferrer(row: Row, note: string): void {
    row.notes.push(note);
    row.wanted = NOBODY;
    row.referrer = null;
  }

  /** Compares with the line as it is, of which these are the members by the keys of the part. */
  function judge(part: readonly Row[], members: readonly Member[]): void {
    const line = openLine(members);
    for (const row of part) {
      if (row.fault !== null && row.fault !== 'duplicate') continue;
      if (line.at(row.read.email_identity)) row.fault = 'in_line';
      if (row.fault !== null) continue;
      row.referrer_id = line.find(row.wanted)?.id ?? null;
      const isKnown = row.referrer !== null || row.referrer_id !== null;
      if (row.wanted !== NOBODY && !isKnown) row.notes.push('unknown_referrer');
      if (line.of(row.code)) row.notes.push('new_code');
    }
  }

  /** Says once that the order of the file is not that of its times. */
  function noteTimes(joiners: readonly Row[]): void {
    const timed = joiners.filter(({ read }) => read.joined_at !== null);
    timed
      .find(({ read }, index) => (read.joined_at ?? 0) < (timed[index - 1]?.read.joined_at ?? 0))
      ?.notes.push('before_others');
  }

  return {
    rows,
    add,
    settle,
    judge,

    /** What `judge` and `draft` need to know of the line. */
    keysOf(part: readonly Row[]) {
      const people = part.flatMap((row) => [row, ...row.friends]);
      return {
        addresses: people.flatMap((row) => [row.read.email_identity, row.wanted.address]),
        codes: part.flatMap((row) => [row.code, row.wanted.code]),
      };
    },

    /** Rows that join after this place, in the order of their places. */
    joinersAfter: (done: number) => inOrder.filter((row) => row.fault === null && row.place > done),

    /**
     * What a piece of the joiners does to the line as it is by now. A row whose referrer joins
     * later in the list counts as invited from the beginning.
     */
    draft(part: readonly Joiner[], members: readonly Member[]) {
      const line = openLine(members);
      const first = part[0]?.row.place ?? 0;
      const last = part.at(-1)?.row.place ?? 0;
      const joiners = part.filter(({ row }) => !line.at(row.read.email_identity));
      const idOf = new Map<Row | null, string>(joiners.map((one) => [one.row, one.member_id]));
      const drafts = joiners.map(({ row, ...names }) => {
        const known = line.find(row.wanted);
        const host = idOf.get(row.referrer);
        const referrer_id = known?.id ?? host ?? null;
        const isLater = (row.referrer?.place ?? 0) > last;
        return {
          ...row.read,
          ...names,
          kept_code: row.code,
          referrer_id,
          was_invited: referrer_id !== null || row.read.was_invited || isLater,
          is_told: known?.is_imported ?? host !== undefined,
        };
      });
      const links = part.flatMap(({ row }) => {
        const host = idOf.get(row);
        const referrer_id = host ?? line.at(row.read.email_identity)?.id ?? null;
        return row.friends.flatMap(({ read: { credit, email_identity }, place }) => {
          const known = place < first ? line.at(email_identity) : undefined;
          if (!known?.is_imported) return [];
          return { member_id: known.id, referrer_id, credit, is_told: host !== undefined };
        });
      });
      return { done_to: last, drafts, links, met: part.length - drafts.length };
    },

    /** After all are judged. */
    report(): NonNullable<ListImport['report']> {
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
    },
  };
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

function openLine(members: readonly Member[]) {
  const byAddress = new Map(members.map((member) => [member.email_identity, member]));
  const byCode = new Map(members.map((member) => [member.referral_code, member]));
  const at = (address: string | null) => byAddress.get(address ?? '');
  const of = (code: string | null) => byCode.get(code ?? '');
  return { at, of, find: ({ address, code }: Row['wanted']) => at(address) ?? of(code) };
}

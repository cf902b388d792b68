import type { ImportMapping, ListImport } from '../../../contract/operator/imports/list-import.ts';
import { findCircles } from './circle-rules.ts';
import type { ReadRow } from './row-rules.ts';

/** A row of a file, as the others and the line make it. */
export type Row = Omit<ReadRow, 'fault'> & {
  readonly ordinal: number;
  readonly line: number;
  fault: string | null;
  /** The line of the row that joins, if this one is its duplicate. */
  first_line: number | null;
  notes: string[];
  /** The referrer in this file, or in line. */
  referrer_ordinal: number | null;
  referrer_id: string | null;
  place: number;
  friends: number;
};

/** A member in line, by what a file may call them. */
export type Member = {
  readonly id: string;
  readonly email_identity: string;
  readonly referral_code: string;
  /** Whether an earlier piece of this list made them a member. */
  readonly is_imported: boolean;
};

/** The id of the member who comes of a row, and the code unless they keep the old one. */
type Names = { readonly member_id: string; readonly new_code: string };

export type Piece = ReturnType<ReturnType<typeof openComparison>['draft']>;
export type Draft = Piece['drafts'][number];
/** A friend who has joined, and their referrer, who joins now. */
export type Link = Piece['links'][number];

/** Compares the rows of a file with each other and the line. All are added before any is judged. */
export function openComparison({ order }: Pick<ImportMapping, 'order'>) {
  const rows: Row[] = [];
  const joining = new Map<string, Row>();
  const addressOfCode = new Map<string, string>();
  const addressOfId = new Map<string, string>();
  const keptCodes = new Set<string>();
  const friendsOf = new Map<number, Row[]>();
  const timeOf = (row: Row) => (order === 'file' ? 0 : (row.joined_at?.getTime() ?? 0));

  function add(read: ReadRow, line: number): void {
    const ordinal = rows.length + 1;
    const undecided = { first_line: null, referrer_ordinal: null, referrer_id: null, place: 0 };
    const row: Row = { ...read, ordinal, line, notes: [], friends: 0, ...undecided };
    rows.push(row);
    const { email_identity: address, old_code: code, row_id: id } = row;
    if (address === null) return;
    if (code !== null && !addressOfCode.has(code)) addressOfCode.set(code, address);
    if (id !== null && !addressOfId.has(id)) addressOfId.set(id, address);
    const first = joining.get(address);
    if (row.fault === null && (first === undefined || timeOf(row) < timeOf(first)))
      joining.set(address, row);
  }

  function addressOfReferrer({ referrer, referrer_identity }: Row): string | null {
    if (referrer === null || referrer_identity !== null) return referrer_identity;
    return addressOfCode.get(referrer) ?? addressOfId.get(referrer) ?? null;
  }

  /** What `judge` and `draft` need to know of the line. */
  function keysOf(part: readonly Row[]) {
    const friends = part.flatMap(({ ordinal }) => friendsOf.get(ordinal) ?? []);
    return {
      addresses: [...part, ...friends].flatMap((row) => [
        row.email_identity,
        addressOfReferrer(row),
      ]),
      codes: part.flatMap((row) => [row.kept_code, row.referrer_code]),
    };
  }

  /**
   * In the order of the file: the first row with a code keeps it. An import need not know the
   * members, since `draft` compares each piece with the line.
   */
  function judge(part: readonly Row[], members: readonly Member[]): void {
    const line = openLine(members.filter((member) => !member.is_imported));
    for (const row of part.filter(({ fault }) => fault === null)) {
      const first = joining.get(row.email_identity ?? '');
      if (line.at(row.email_identity)) row.fault = 'in_line';
      else if (first !== row) {
        row.fault = 'duplicate';
        row.first_line = first?.line ?? null;
      } else {
        judgeReferrer(row, line);
        judgeCode(row, line);
        if (row.mail_state !== null) row.notes.push('no_mail');
      }
    }
  }

  function findReferrer(row: Row, line: Line): Member | undefined {
    const address = addressOfReferrer(row);
    return address === null ? line.of(row.referrer_code) : line.at(address);
  }

  /** A row that is left out as a duplicate stands for the member whom the line gets or has. */
  function judgeReferrer(row: Row, line: Line): void {
    if (row.referrer === null) return;
    const inFile = joining.get(addressOfReferrer(row) ?? '');
    row.referrer_id = findReferrer(row, line)?.id ?? null;
    if (inFile === row) dropReferrer(row, 'own_referrer');
    else if (inFile !== undefined) row.referrer_ordinal = inFile.ordinal;
    else if (row.referrer_id === null) row.notes.push('unknown_referrer');
  }

  function dropReferrer(row: Row, note: string): void {
    row.notes.push(note);
    row.referrer = null;
    row.referrer_identity = null;
    row.referrer_code = null;
    row.referrer_ordinal = null;
    row.referrer_id = null;
  }

  function judgeCode(row: Row, line: Line): void {
    const { old_code: old, kept_code: code } = row;
    if (old === null) return;
    if (code !== null && !keptCodes.has(code) && !line.of(code)) keptCodes.add(code);
    else {
      row.kept_code = null;
      row.notes.push('new_code');
    }
  }

  /** Orders all rows, as the file alone says, and breaks circles of referrers. */
  function place(): void {
    const inOrder = [...rows].sort((one, other) => timeOf(one) - timeOf(other));
    for (const [index, row] of inOrder.entries()) row.place = index + 1;
    const circles = findCircles(Int32Array.from(rows, (row) => (row.referrer_ordinal ?? 0) - 1));
    for (const index of circles) dropReferrer(rows[index] as Row, 'referral_circle');
    for (const row of rows) {
      if (row.referrer_ordinal === null) continue;
      const friends = friendsOf.get(row.referrer_ordinal);
      if (friends === undefined) friendsOf.set(row.referrer_ordinal, [row]);
      else friends.push(row);
    }
    if (order === 'file') noteTimes();
    for (const row of rows) {
      row.friends = (friendsOf.get(row.ordinal) ?? []).filter((one) => one.credit === null).length;
      if (row.fault === null && (row.stated_referrals ?? 0) > row.friends)
        row.notes.push('fewer_friends');
    }
  }

  /** Says once that the order of the file is not that of its times. */
  function noteTimes(): void {
    const timed = rows.filter(({ fault, joined_at }) => fault === null && joined_at !== null);
    timed
      .find((row, index) => (row.joined_at ?? 0) < (timed[index - 1]?.joined_at ?? 0))
      ?.notes.push('before_others');
  }

  return {
    rows,
    add,
    keysOf,
    judge,
    place,

    /** Rows that join after this place, in the order of their places. */
    joinersAfter: (done: number) =>
      rows
        .filter((row) => row.fault === null && row.place > done)
        .sort((one, other) => one.place - other.place),

    /**
     * What a piece of the joiners does to the line as it is by now. A row whose referrer joins
     * later in the list counts as invited from the beginning.
     */
    draft(part: readonly (Row & Names)[], members: readonly Member[]) {
      const line = openLine(members);
      const first = part[0]?.place ?? 0;
      const last = part.at(-1)?.place ?? 0;
      const joiners = part.filter((row) => !line.at(row.email_identity));
      const idOf = new Map(joiners.map((row) => [row.ordinal, row.member_id]));
      const drafts = joiners.map((row) => {
        const known = findReferrer(row, line);
        const host = idOf.get(row.referrer_ordinal ?? 0);
        const referrer_id = known?.id ?? host ?? null;
        const isLater = (rows[(row.referrer_ordinal ?? 0) - 1]?.place ?? 0) > last;
        return {
          ...row,
          referrer_id,
          was_invited: referrer_id !== null || row.was_invited || isLater,
          is_told: known?.is_imported ?? host !== undefined,
        };
      });
      const links = part.flatMap((row) => {
        const host = idOf.get(row.ordinal);
        const referrer_id = host ?? line.at(row.email_identity)?.id ?? null;
        return (friendsOf.get(row.ordinal) ?? []).flatMap((friend) => {
          const known = friend.place < first ? line.at(friend.email_identity) : undefined;
          if (!known?.is_imported) return [];
          const { credit } = friend;
          return { member_id: known.id, referrer_id, credit, is_told: host !== undefined };
        });
      });
      return { done_to: last, drafts, links, met: part.length - drafts.length };
    },

    report(): NonNullable<ListImport['report']> {
      const joiners = rows.filter(({ fault }) => fault === null);
      const kinds: Record<string, number> = {};
      for (const { fault, notes } of rows)
        for (const kind of fault === null ? notes : [fault]) kinds[kind] = (kinds[kind] ?? 0) + 1;
      const credited = joiners.filter(({ credit, referrer_id: id }) => credit === null && id);
      return {
        rows: rows.length,
        importable: joiners.length,
        left_out: rows.length - joiners.length,
        noted: joiners.filter(({ notes }) => notes.length > 0).length,
        invited: joiners.filter((row) => row.referrer_id ?? row.referrer_ordinal).length,
        credited_in_line: new Set(credited.map(({ referrer_id: id }) => id)).size,
        kinds,
      };
    },
  };
}

type Line = ReturnType<typeof openLine>;

function openLine(members: readonly Member[]) {
  const byAddress = new Map(members.map((member) => [member.email_identity, member]));
  const byCode = new Map(members.map((member) => [member.referral_code, member]));
  return {
    at: (address: string | null) => byAddress.get(address ?? ''),
    of: (code: string | null) => byCode.get(code ?? ''),
  };
}

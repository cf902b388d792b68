import type { ImportMapping, ListImport } from '../../../contract/operator/imports/list-import.ts';
import { placeRows } from './place-rules.ts';
import type { ReadRow } from './row-rules.ts';

/** A row as its check leaves it. */
export type CheckedRow = Omit<ReadRow, 'fault'> & {
  readonly ordinal: number;
  readonly line: number;
  fault: string | null;
  /** Of a duplicate: the line of the row that joins. */
  first_line: number | null;
  notes: string[];
  /** The referrer in this file, or in line. */
  referrer_ordinal: number | null;
  referrer_id: string | null;
  place: number | null;
  friends: number;
};

/** Ids of members in line, by what a file may call them. */
export type Members = {
  readonly byAddress: ReadonlyMap<string, string>;
  readonly byCode: ReadonlyMap<string, string>;
};

/** Compares the rows of a file with each other and the line. All are added before any is judged. */
export function openComparison({ order }: Pick<ImportMapping, 'order'>) {
  const rows: CheckedRow[] = [];
  const joining = new Map<string, CheckedRow>();
  const addressOfCode = new Map<string, string>();
  const addressOfId = new Map<string, string>();
  const keptCodes = new Set<string>();
  const timeOf = (row: CheckedRow) => (order === 'file' ? 0 : (row.joined_at?.getTime() ?? 0));

  function add(read: ReadRow, line: number): void {
    const ordinal = rows.length + 1;
    const undecided = { first_line: null, referrer_ordinal: null, referrer_id: null, place: null };
    const row: CheckedRow = { ...read, ordinal, line, notes: [], friends: 0, ...undecided };
    rows.push(row);
    const { email_identity: address, old_code: code, row_id: id } = row;
    if (address === null) return;
    if (code !== null && !addressOfCode.has(code)) addressOfCode.set(code, address);
    if (id !== null && !addressOfId.has(id)) addressOfId.set(id, address);
    const first = joining.get(address);
    if (row.fault === null && (first === undefined || timeOf(row) < timeOf(first)))
      joining.set(address, row);
  }

  function addressOfReferrer({ referrer, referrer_identity }: CheckedRow): string | null {
    if (referrer === null || referrer_identity !== null) return referrer_identity;
    return addressOfCode.get(referrer) ?? addressOfId.get(referrer) ?? null;
  }

  /** What `judge` needs to know of the line. */
  function keysOf(part: readonly CheckedRow[]) {
    return {
      addresses: part.flatMap((row) => [row.email_identity, addressOfReferrer(row)]),
      codes: part.flatMap((row) => [row.kept_code, row.referrer_code]),
    };
  }

  /** In the order of the file: the first row with a code keeps it. */
  function judge(row: CheckedRow, members: Members): void {
    if (row.fault !== null) return;
    const address = row.email_identity ?? '';
    const first = joining.get(address);
    if (members.byAddress.has(address)) row.fault = 'in_line';
    else if (first !== row) {
      row.fault = 'duplicate';
      row.first_line = first?.line ?? null;
    } else {
      findReferrer(row, members);
      chooseCode(row, members);
    }
  }

  /** A row that is left out as a duplicate stands for the member whom the line gets or has. */
  function findReferrer(row: CheckedRow, { byAddress, byCode }: Members): void {
    if (row.referrer === null) return;
    const address = addressOfReferrer(row);
    const id = address === null ? byCode.get(row.referrer_code ?? '') : byAddress.get(address);
    const inFile = address === null || id !== undefined ? undefined : joining.get(address);
    if (id !== undefined) row.referrer_id = id;
    else if (inFile === undefined) row.notes.push('unknown_referrer');
    else if (inFile === row) row.notes.push('own_referrer');
    else row.referrer_ordinal = inFile.ordinal;
  }

  function chooseCode(row: CheckedRow, { byCode }: Members): void {
    const { old_code: old, kept_code: code } = row;
    if (old === null) return;
    if (code !== null && !keptCodes.has(code) && !byCode.has(code)) keptCodes.add(code);
    else {
      row.kept_code = null;
      row.notes.push('new_code');
    }
  }

  /** Says where the rows stand that will join, and breaks circles of referrers. */
  function place(): void {
    const placed = placeRows(
      Int32Array.from(rows, ({ referrer_ordinal: referrer }) => (referrer ?? 0) - 1),
      Float64Array.from(rows, (row) => (row.fault === null ? timeOf(row) : Number.NaN)),
      new Set(rows.flatMap(({ credit }, index) => (credit === null ? [] : [index]))),
    );
    for (const [index, row] of rows.entries()) {
      const at = placed[index];
      if (!at) continue;
      row.place = at.place;
      row.friends = at.friends;
      if (at.in_circle) {
        row.referrer_ordinal = null;
        row.notes.push('referral_circle');
      }
      if ((row.stated_referrals ?? 0) > at.friends) row.notes.push('fewer_friends');
    }
  }

  return {
    rows,
    add,
    keysOf,
    judge,
    place,
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

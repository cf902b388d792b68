import type { MailKind } from '../../../contract/mails.ts';
import type { MailState } from '../../../contract/member-states.ts';
import type { Source } from '../../line/sources/source-rules.ts';

export type ImportOptions = {
  /** The name of the file, without addresses, for the audit log. */
  readonly file: string;
  readonly rows: number;
  readonly isConfirmed: boolean;
  readonly givesCredit: boolean;
  readonly mail: MailKind | null;
};

export type ListRow = {
  readonly ordinal: number;
  readonly place: number;
  readonly member_id: string;
  /** The member who has joined with the address since the check, or null. */
  readonly known_id: string | null;
  readonly referrer_ordinal: number | null;
  readonly referrer_place: number | null;
  /** Whether the import made the referrer a member, and not their own join. */
  readonly is_referrer_imported: boolean;
  readonly referrer_id: string | null;
  /** pending, held or refused, as the file says; null: as the import decides. */
  readonly credit: string | null;
  readonly mail_state: Exclude<MailState, 'sending'> | null;
  readonly email_identity: string;
  readonly was_invited: boolean;
  readonly point_adjustment: number;
  readonly source: Source | null;
};

export type Draft = ReturnType<typeof draftPiece>['drafts'][number];

/** A row whose referrer joins later in the list counts as invited from the beginning. */
export function draftPiece(
  rows: readonly ListRow[],
  { next, givesCredit }: { next: number; givesCredit: boolean },
) {
  const last = rows.at(-1)?.place ?? 0;
  const idOf = new Map(rows.map((row) => [row.ordinal, row.known_id ?? row.member_id]));
  const joining = rows.filter(({ known_id }) => known_id === null);
  const newIds = new Set(joining.map(({ member_id }) => member_id));
  const referrerOf = (row: ListRow) => idOf.get(row.referrer_ordinal ?? 0) ?? row.referrer_id;
  const creditsWithin = new Map<string, number>();
  const creditsBefore = new Map<string, number>();
  /** Referrers whom the import brought: the old tool has notified them of these friends. */
  const informed = new Set<string>();
  for (const row of givesCredit ? joining : []) {
    const referrer = referrerOf(row);
    if (referrer === null || row.credit !== null) continue;
    const credits = newIds.has(referrer) ? creditsWithin : creditsBefore;
    credits.set(referrer, (credits.get(referrer) ?? 0) + 1);
    const isImported = row.referrer_ordinal !== null && row.is_referrer_imported;
    if (isImported && !idOf.has(row.referrer_ordinal ?? 0)) informed.add(referrer);
  }
  const drafts = joining.map((row, index) => {
    const referrer = referrerOf(row);
    return {
      ordinal: row.ordinal,
      member_id: row.member_id,
      sequence: next + index,
      referrer_id: referrer,
      is_invited: referrer !== null || row.was_invited || (row.referrer_place ?? 0) > last,
      credits: creditsWithin.get(row.member_id) ?? 0,
      point_adjustment: row.point_adjustment,
      source: row.source,
    };
  });
  return { drafts, creditsBefore, informed: [...informed] };
}

import type { MailKind } from '../../../contract/mails.ts';
import type { FriendChange } from '../../line/line-rules.ts';
import type { ImportRow } from './row-store.ts';

export type ImportOptions = {
  /** The name of the file, without addresses, for the audit log. */
  readonly file: string;
  readonly rows: number;
  readonly isConfirmed: boolean;
  readonly givesCredit: boolean;
  readonly mail: MailKind | null;
};

export type JoiningRow = ImportRow & {
  readonly email_identity: string;
  readonly place: number;
  /** The member who has joined with the address since the check, or null. */
  readonly known_id: string | null;
  readonly referrer_place: number | null;
  /** Whether the import made the referrer a member, and not their own join. */
  readonly is_referrer_imported: boolean;
  /** The referrer, if they are in line by now. */
  readonly present_referrer_id: string | null;
};

export type Draft = ReturnType<typeof draftPiece>['drafts'][number];

/** A row whose referrer joins later in the list counts as invited from the beginning. */
export function draftPiece(
  rows: readonly JoiningRow[],
  {
    next,
    givesCredit,
    isConfirmed,
  }: Pick<ImportOptions, 'givesCredit' | 'isConfirmed'> & { readonly next: number },
) {
  const last = rows.at(-1)?.place ?? 0;
  const idOf = new Map(rows.map((row) => [row.ordinal, row.known_id ?? row.member_id]));
  const joining = rows.filter(({ known_id }) => known_id === null);
  const newIds = new Set(joining.map(({ member_id }) => member_id));
  const referrerOf = (row: JoiningRow) =>
    idOf.get(row.referrer_ordinal ?? 0) ?? row.present_referrer_id;
  const credits = new Map<string, FriendChange>();
  /** Referrers whom the import brought: the old tool has notified them of these friends. */
  const informed = new Set<string>();
  for (const row of givesCredit ? joining : []) {
    const referrer = referrerOf(row);
    if (referrer === null || row.credit !== null) continue;
    const { confirmed, unconfirmed } = credits.get(referrer) ?? { confirmed: 0, unconfirmed: 0 };
    credits.set(
      referrer,
      isConfirmed && !row.is_unconfirmed
        ? { confirmed: confirmed + 1, unconfirmed }
        : { confirmed, unconfirmed: unconfirmed + 1 },
    );
    const isImported = row.referrer_ordinal !== null && row.is_referrer_imported;
    if (newIds.has(referrer) || (isImported && !idOf.has(row.referrer_ordinal ?? 0)))
      informed.add(referrer);
  }
  const drafts = joining.map((row, index) => {
    const referrer = referrerOf(row);
    return {
      ...row,
      sequence: next + index,
      referrer_id: referrer,
      was_invited: referrer !== null || row.was_invited || (row.referrer_place ?? 0) > last,
    };
  });
  return { drafts, credits, informed: [...informed] };
}

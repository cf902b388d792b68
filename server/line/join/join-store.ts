import type { MailKind } from '../../../brand/mail-shape.ts';
import type { Database } from '../../db/database.ts';
import { all, first } from '../../db/rows.ts';
import type { NewMember } from '../member-view.ts';
import { type Source, sourceKey } from '../sources/source-rules.ts';
import type { joinColumns } from './join-request.ts';

type JoinColumns = ReturnType<typeof joinColumns>;
type KeptRow = NewMember & { readonly position: number };

export type JoinRow = JoinColumns &
  Pick<NewMember, 'id' | 'referral_code'> & { readonly ordinal: number };

export type DecidedRow = { readonly ordinal: number } & (
  | { readonly status_code: 201; readonly position: number }
  | ({ readonly status_code: 200 } & KeptRow)
  | { readonly status_code: 409 | 422 | 503 }
);

export type JoinEffects = {
  /** Credits the referrers now, not when the friends confirm. */
  readonly givesCredit: boolean;
  /** Kind of mail for new members, and for known ones; null for none. */
  readonly joinedMail: MailKind | null;
  readonly knownMail: MailKind | null;
};

export async function joinMembers(
  { kysely }: Database,
  rows: readonly JoinRow[],
  networks: readonly (number | null)[],
  { givesCredit, joinedMail, knownMail }: JoinEffects,
): Promise<DecidedRow[]> {
  // Rows refer to the sources, of which each is sent once, by index from 1.
  const sources = new Map<string, Source & { readonly key: string; readonly index: number }>();
  function indexOf(source: Source): number {
    const key = sourceKey(source);
    const counted = sources.get(key) ?? { ...source, key, index: sources.size + 1 };
    sources.set(key, counted);
    return counted.index;
  }
  const input = rows.map(({ entered: _entered, ...row }) =>
    row.source === null ? row : { ...row, source: indexOf(row.source) },
  );
  const entered = rows.map((row) => row.entered);
  // Both drivers take longer to write an array than to pass a text on.
  const traced = `{${networks.map((network) => network ?? 'null')}}`;
  return await all<DecidedRow>(kysely)`
    select ordinal, status_code, member_id as id, "position", email, referral_code
    from join_members(
      ${JSON.stringify(input)}, ${JSON.stringify(entered)},
      ${sources.size > 0 ? JSON.stringify([...sources.values()]) : null},
      ${traced}::text::integer[], ${givesCredit}, ${joinedMail}, ${knownMail})
  `;
}

export function readKeptJoin(
  { kysely }: Database,
  { key_hash: keyHash, request_hash: requestHash }: JoinColumns,
) {
  return first<KeptRow>(kysely)`
    select id, email, referral_code, join_position as position from member
    where key_hash = ${keyHash} and request_hash = ${requestHash}
      and joined_at > clock_timestamp() - interval '24 hours'
  `;
}

export function isCodeTaken(error: unknown): boolean {
  return (
    error instanceof Error &&
    'constraint' in error &&
    error.constraint === 'member_referral_code_key'
  );
}

import type { Database } from '../../db/database.ts';
import { first, value } from '../../db/rows.ts';
import { type Source, sourceKey } from '../../line/sources/source-rules.ts';

type InvitedRow = {
  readonly is_invited: boolean;
  readonly until: Date;
  readonly is_late: boolean;
};

export function readInvited({ kysely }: Database, memberId: string) {
  return first<InvitedRow>(kysely)`
    select is_invited, inviter_until(joined_at) as until,
      inviter_until(joined_at) <= clock_timestamp() as is_late
    from member where id = ${memberId}
  `;
}

export type Given = 'given' | 'gone' | 'known' | 'late' | 'unknown' | 'own' | 'friend';

export function writeInviter(
  { kysely }: Database,
  memberId: string,
  { code, source, givesCredit }: Writing,
) {
  return value<Given>(kysely)`
    select give_inviter(
      ${memberId}, ${code},
      ${source && JSON.stringify([{ ...source, key: sourceKey(source) }])},
      ${givesCredit}) as outcome
  `;
}

type Writing = {
  readonly code: string;
  readonly source: Source | null;
  readonly givesCredit: boolean;
};

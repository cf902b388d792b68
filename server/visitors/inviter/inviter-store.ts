import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { type Source, sourceKey } from '../../line/sources/source-rules.ts';

type InvitedRow = {
  readonly is_invited: boolean;
  readonly until: Date;
  readonly is_late: boolean;
};

export async function readInvited({ kysely }: Database, memberId: string) {
  const { rows } = await sql<InvitedRow>`
    select is_invited, inviter_until(joined_at) as until,
      inviter_until(joined_at) <= clock_timestamp() as is_late
    from member where id = ${memberId}
  `.execute(kysely);
  return rows[0];
}

export type Given = 'given' | 'gone' | 'known' | 'late' | 'unknown' | 'own' | 'friend';

export async function writeInviter(
  { kysely }: Database,
  memberId: string,
  { code, source, givesCredit }: Writing,
): Promise<Given> {
  const { rows } = await sql<{ outcome: Given }>`
    select give_inviter(
      ${memberId}, ${code},
      ${source && JSON.stringify([{ ...source, key: sourceKey(source) }])},
      ${givesCredit}) as outcome
  `.execute(kysely);
  return rows[0]?.outcome ?? 'gone';
}

type Writing = {
  readonly code: string;
  readonly source: Source | null;
  readonly givesCredit: boolean;
};

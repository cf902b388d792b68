import { sql } from 'kysely';
import { HUNDRED, type HundredChange } from './hundred-rules.ts';
import type { Look } from './look-store.ts';

/** The number of the next member to join: now, and as it was at the last look. */
export async function readSequences(look: Look): Promise<{ next: number; looked: number }> {
  const { rows } = await sql<{ next: number; looked: number }>`
    select line_state.next_sequence as next, hundred_look.next_sequence as looked from line_state, hundred_look
  `.execute(look);
  return rows[0] ?? { next: 1, looked: 1 };
}

type ChangeRow = {
  readonly id: string;
  readonly is_inside: boolean;
  readonly is_new: boolean;
  readonly hundred_at: Date | null;
};

/** Everybody who stands elsewhere than they believe; new are those from the sequence on. */
export async function findHundredChanges(look: Look, { newFrom }: { newFrom: number }): Promise<HundredChange[]> {
  const { rows } = await sql<ChangeRow>`
    select changed.id, changed.is_inside, member.sequence >= ${newFrom} as is_new, mail_told.hundred_at
    from (
      select coalesce(first.id, hundred_member.member_id) as id, first.id is not null as is_inside
      from (select id from member order by sort_key limit ${HUNDRED}) first
      full join hundred_member on hundred_member.member_id = first.id
      where first.id is null or hundred_member.member_id is null
    ) changed
    join member on member.id = changed.id
    left join mail_told on mail_told.member_id = changed.id
  `.execute(look);
  return rows.map((row) => ({
    memberId: row.id,
    isInside: row.is_inside,
    isNew: row.is_new,
    toldAt: row.hundred_at,
  }));
}

/** Keeps what these members, held by `holdMembers`, know from `now` on. */
export async function keepHundredTold(
  look: Look,
  { changes, now }: { changes: readonly HundredChange[]; now: Date },
): Promise<void> {
  const idsOf = (kept: readonly HundredChange[]) => sql`unnest(${kept.map(({ memberId }) => memberId)}::uuid[])`;
  await sql`
    insert into mail_told (member_id, hundred_at) select member_id, ${now} from ${idsOf(changes)} known (member_id)
    on conflict (member_id) do update set hundred_at = excluded.hundred_at
  `.execute(look);
  await sql`
    insert into hundred_member (member_id)
    select member_id from ${idsOf(changes.filter(({ isInside }) => isInside))} known (member_id)
  `.execute(look);
  await sql`
    delete from hundred_member using ${idsOf(changes.filter(({ isInside }) => !isInside))} known (member_id)
    where hundred_member.member_id = known.member_id
  `.execute(look);
}

export async function keepSequence(look: Look, next: number): Promise<void> {
  await look.updateTable('hundred_look').set({ next_sequence: next }).execute();
}

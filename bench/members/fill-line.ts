/** Fills an empty, migrated database with made-up members, and counts them in one go instead of one by one. */
import type { Brand } from '../../brand/brand-shape.ts';
import type { SqlSession } from '../../server/db/migrate.ts';
import { keyFormula } from '../../server/waitlist/line-rules.ts';
import { arrivalOf, codeOf, emailOf, inviterOf, isInvited, uuidOf } from './drawing.ts';

type FillOptions = { readonly brand: Brand; readonly members: number; readonly seed: number };

/** Within a transaction of the caller's. Indexes, keys and triggers of the members are put aside for it, and back as they were. */
export async function fillLine(session: SqlSession, { brand, members, seed }: FillOptions): Promise<void> {
  const { perJoin, perCredit, perInvite, bucketShifts } = keyFormula(brand.lineRule);
  await session.query(
    `insert into line_state (rule, per_join, per_credit, per_invite, bucket_shifts) values ($1, $2, $3, $4, $5)`,
    [brand.lineRule.name, perJoin, perCredit, perInvite, bucketShifts],
  );
  await session.exec(`set local work_mem = '256MB'; set local maintenance_work_mem = '512MB'; set local jit = off`);
  const putBack = await putAside(session);
  await session.exec(drawMembers(members, seed));
  await putBack();
  await session.exec(COUNT_MEMBERS);
}

function drawMembers(members: number, seed: number): string {
  const [number, inviter] = ['number', 'inviter'] as const;
  return `
    create temporary table drawn on commit drop as
      select number, case when ${isInvited(seed, number)} then ${inviterOf(seed, number, members)} end as inviter
      from generate_series(1, ${members}::bigint) number;
    analyze drawn;
    insert into member (
      id, sequence, sort_key, email, email_identity, referral_code, is_invited, referrer_id, is_credited, referral_count, joined_at)
    select
      ${uuidOf(seed, number)}, number, sort_key_of(line, number, friends, inviter is not null), address, address, ${codeOf(seed, number)},
      inviter is not null, case when inviter is not null then ${uuidOf(seed, inviter)} end, inviter is not null, friends,
      now() - interval '60 days' + interval '59 days' * ${arrivalOf(number, members)}
    from line_state line, (
      select number, inviter, coalesce(credit.friends, 0)::integer as friends, ${emailOf(seed, number)} as address
      from drawn
      left join (
        select inviter as referrer, count(*) as friends from drawn where inviter is not null group by inviter
      ) credit on credit.referrer = drawn.number
    ) made
    order by number`;
}

/** As triggers and the mail's first migration count: nobody is owed a mail for what was made up. */
const COUNT_MEMBERS = `
  update line_state set total = held.members, next_sequence = held.members + 1, last_joined_at = held.last_joined_at
    from (select count(*) as members, max(joined_at) as last_joined_at from member) held;
  select count_line();
  insert into mail_told (member_id, referral_count) select id, referral_count from member where referral_count > 0;
  insert into hundred_member (member_id) select id from member order by sort_key limit 100;
  update hundred_look set next_sequence = line_state.next_sequence from line_state;`;

type Aside = { readonly remove: string; readonly restore: string };

/** Read from the catalogue, so that an index of a later migration is not forgotten. Answers what puts all of it back. */
async function putAside(session: SqlSession): Promise<() => Promise<void>> {
  const { rows: constraints } = await session.query<Aside>(CONSTRAINTS);
  const { rows: indexes } = await session.query<Aside>(INDEXES);
  for (const { remove } of [...constraints, ...indexes]) await session.exec(remove);
  await session.exec('alter table member disable trigger user');
  return async () => {
    for (const { restore } of [...indexes, ...constraints.toReversed()]) await session.exec(restore);
    await session.exec('alter table member enable trigger user');
  };
}

/** Foreign keys first: they need the key that they refer to. */
const CONSTRAINTS = `
  select
    format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as restore
  from pg_constraint
  where (conrelid = 'member'::regclass or confrelid = 'member'::regclass) and contype in ('f', 'p', 'u')
  order by contype, conname`;

const INDEXES = `
  select format('drop index %s', indexrelid::regclass) as remove, pg_get_indexdef(indexrelid) as restore
  from pg_index
  where indrelid = 'member'::regclass
    and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
  order by indexrelid`;

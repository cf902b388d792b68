/** Fills an empty, migrated database with made-up members, and counts them at once. */
import type { Brand } from '../../brand/brand-shape.ts';
import type { SqlSession } from '../../server/db/schema/migrate.ts';
import { keyFormula } from '../../server/line/line-rules.ts';
import { arrivalOf, codeOf, emailOf, inviterOf, isInvited, uuidOf } from './drawing.ts';

type FillOptions = { readonly brand: Brand; readonly members: number; readonly seed: number };

/** In the caller's transaction. Drops indexes, keys and triggers meanwhile, and restores them. */
export async function fillLine(
  session: SqlSession,
  { brand, members, seed }: FillOptions,
): Promise<void> {
  const { perJoin, perCredit, perInvite, bucketShifts } = keyFormula(brand.lineRule);
  await session.query(
    `insert into line_state (rule, per_join, per_credit, per_invite, bucket_shifts)
     values ($1, $2, $3, $4, $5)`,
    [brand.lineRule.name, perJoin, perCredit, perInvite, bucketShifts],
  );
  await session.exec(
    `set local work_mem = '256MB'; set local maintenance_work_mem = '512MB'; set local jit = off`,
  );
  const restoreStructure = await dropStructure(session);
  await session.exec(drawMembers(members, seed));
  await session.exec(countMembers(brand.maskCount));
  await restoreStructure();
}

function drawMembers(members: number, seed: number): string {
  const [number, inviter] = ['number', 'inviter'] as const;
  return `
    create temporary table drawn on commit drop as
      select number,
        case when ${isInvited(seed, number)} then ${inviterOf(seed, number, members)} end as inviter
      from generate_series(1, ${members}::bigint) number;
    analyze drawn;
    insert into member (
      id, sequence, joined_at, join_position, key_hash, request_hash, referrer_id, is_invited,
      credit, email, email_identity, referral_code)
    select
      ${uuidOf(seed, number)}, number, joined_at, number,
      md5('key ' || address)::uuid, md5(address)::uuid,
      case when inviter is not null then ${uuidOf(seed, inviter)} end, inviter is not null,
      case when inviter is not null then 'given' else 'none' end,
      address, address, ${codeOf(seed, number)}
    from (
      select number, inviter, ${emailOf(seed, number)} as address,
        now() - interval '60 days' + interval '59 days' * ${arrivalOf(number, members)} as joined_at
      from drawn
    ) made
    order by number`;
}

/** What joins would have counted; no mail is due for made-up members. */
const countMembers = (maskCount: number) => `
  update line_state set next_sequence = held.members + 1, last_joined_at = held.last_joined_at
    from (select count(*) as members, max(joined_at) as last_joined_at from member) held;
  select rebuild_line();
  insert into notification_state (member_id, referral_count)
    select member_id, referral_count from standing where referral_count > 0;
  insert into top100_notified (member_id)
    select member_id from standing order by sort_key limit ${maskCount};
  update top100_cursor set next_sequence = line_state.next_sequence from line_state;`;

type Structure = { readonly remove: string; readonly restore: string };

/**
 * Reads the catalogue, so that later indexes are included. Returns a function that restores all.
 */
async function dropStructure(session: SqlSession): Promise<() => Promise<void>> {
  const { rows: constraints } = await session.query<Structure>(CONSTRAINTS);
  const { rows: indexes } = await session.query<Structure>(INDEXES);
  for (const { remove } of [...constraints, ...indexes]) await session.exec(remove);
  await session.exec(
    'alter table member disable trigger user; alter table standing disable trigger user',
  );
  return async () => {
    for (const { restore } of [...indexes, ...constraints.toReversed()])
      await session.exec(restore);
    await session.exec(
      'alter table member enable trigger user; alter table standing enable trigger user',
    );
  };
}

/** Foreign keys first: they depend on the keys. */
const CONSTRAINTS = `
  select
    format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname,
      pg_get_constraintdef(oid)) as restore
  from pg_constraint
  where (conrelid in ('member'::regclass, 'standing'::regclass) or confrelid = 'member'::regclass)
    and contype in ('f', 'p', 'u')
  order by contype, conname`;

const INDEXES = `
  select
    format('drop index %s', indexrelid::regclass) as remove,
    pg_get_indexdef(indexrelid) as restore
  from pg_index
  where indrelid in ('member'::regclass, 'standing'::regclass)
    and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
  order by indexrelid`;

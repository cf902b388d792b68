/**
 * Members are SQL expressions of their join number: one seed gives the same on every engine. All
 * have confirmed: who has not is not frozen, and at most ten such friends count for a member.
 */
import type { Brand } from '../../brand/brand-shape.ts';
import type { RunSql } from '../../server/db/database.ts';

/** Share of members that came by an invite, and so the mean number of friends of a member. */
const INVITED_SHARE = 0.4;
/** Ranks weigh rank^(1/a - 1), so counts of friends fall with a power of 1 + a / (a - 1): 2.43. */
const TAIL = 3.3;

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const FIRST_NAMES =
  'ada,amir,anna,bo,carla,chidi,dana,elif,emre,fatou,gio,hana,ines,ivan,jonas,kai,lena,liam,luz,' +
  'maya,mina,nico,nora,noor,olu,omar,paula,priya,rosa,sam,sofia,tariq,timo,uma,vera,wei,yara,' +
  'yuki,zoe,zuri';
export const DOMAINS =
  'mail.example,post.example,inbox.example,students.campus.example,studio.example';
/** The last two labels of each domain above. */
const REGISTRABLE_NAME = `substring(address from '[^.@]+[.]example$')`;
export const LAST_NAMES =
  'abe,bauer,costa,diallo,evans,fischer,garcia,haddad,ito,jansen,kaya,lopez,mensah,novak,okafor,' +
  'park,rossi,silva,tanaka,weber';

type FillOptions = { readonly brand: Brand; readonly members: number; readonly seed: number };

/** Drops indexes, keys and triggers in the caller's transaction, and restores them at its end. */
export async function fillLine(
  runSql: RunSql,
  { brand, members, seed }: FillOptions,
): Promise<void> {
  await runSql(
    `set local work_mem = '256MB'; set local maintenance_work_mem = '512MB'; set local jit = off`,
  );
  const restoreStructure = await dropStructure(runSql);
  await runSql(generateMembers(members, seed));
  await runSql(countMembers(brand.maskCount));
  await restoreStructure();
}

function generateMembers(members: number, seed: number): string {
  const [number, inviter] = ['number', 'inviter'] as const;
  return `
    create temporary table drawn on commit drop as
      select number,
        case when ${isInvited(seed, number)} then ${inviterOf(seed, number, members)} end as inviter
      from generate_series(1, ${members}::bigint) number;
    analyze drawn;
    insert into member (
      id, sequence, joined_at, join_position, key_hash, request_hash, referrer_id, is_invited,
      credit, email, email_identity, referral_code, confirmed_at, proved_mailbox, proved_name)
    select
      ${uuidOf(seed, number)}, number, joined_at, number,
      md5('key ' || address)::uuid, md5(address)::uuid,
      case when inviter is not null then ${uuidOf(seed, inviter)} end, inviter is not null,
      case when inviter is not null then 'given' else 'none' end,
      address, address, ${codeOf(seed, number)},
      joined_at + interval '1 hour', address, ${REGISTRABLE_NAME}
    from (
      select number, inviter, ${emailOf(seed, number)} as address,
        now() - interval '60 days' + interval '59 days' * ${arrivalOf(number, members)} as joined_at
      from drawn
    ) made
    order by number`;
}

function uuidOf(seed: number, number: string): string {
  const half = (stream: number) => `lpad(to_hex(${hashOf(seed, stream, number)}), 16, '0')`;
  const time = `lpad(to_hex(1700000000000 + ${number}), 12, '0')`;
  return `(${time} || '7' || substr(${half(1)}, 1, 3) || 'a' || substr(${half(2)}, 1, 15))::uuid`;
}

function codeOf(seed: number, number: string): string {
  const hash = hashOf(seed, 3, number);
  const characters = Array.from(
    { length: 10 },
    (_, index) => `substr('${CROCKFORD}', 1 + ((${hash} >> ${index * 5}) & 31)::integer, 1)`,
  );
  return characters.join(' || ');
}

function emailOf(seed: number, number: string): string {
  const first = pick(FIRST_NAMES, hashOf(seed, 4, number));
  const last = pick(LAST_NAMES, hashOf(seed, 5, number));
  const domain = pick(DOMAINS, hashOf(seed, 6, number));
  return `${first} || '.' || ${last} || ${number} || '@' || ${domain}`;
}

function isInvited(seed: number, number: string): string {
  return `${number} > 1 and ${unitOf(seed, 7, number)} < ${INVITED_SHARE}`;
}

/** A drawn rank belongs to a member. Until that member has joined, an earlier one invites. */
function inviterOf(seed: number, number: string, members: number): string {
  const rank = `floor(${members} * power(${unitOf(seed, 8, number)}, ${TAIL}))::bigint`;
  const popular = `1 + floor(${members} * ${unitOf(seed, 9, rank)})::bigint`;
  const earlier = `1 + floor((${number} - 1) * ${unitOf(seed, 10, number)})::bigint`;
  return `case when ${popular} < ${number} then ${popular} else ${earlier} end`;
}

/** Share of the time, 0 to 1: a crowd comes at the opening, then fewer and fewer a day. */
function arrivalOf(number: string, members: number): string {
  return `power(${number}::float8 / ${members}, 2)`;
}

function hashOf(seed: number, stream: number, number: string): string {
  return `hashint8extended(${number}, ${seed * 100 + stream})`;
}

function unitOf(seed: number, stream: number, number: string): string {
  return `((${hashOf(seed, stream, number)} & 9007199254740991)::float8 / 9007199254740992)`;
}

function pick(words: string, hash: string): string {
  const count = words.split(',').length;
  return `('{${words}}'::text[])[1 + (${hash} & 1048575)::integer % ${count}]`;
}

/** Sets what joins would have counted; no mail is due for made-up members. */
const countMembers = (maskCount: number) => `
  update line_state set next_sequence = held.members + 1, last_joined_at = held.last_joined_at
    from (select count(*) as members, max(joined_at) as last_joined_at from member) held;
  select rebuild_line();
  insert into notification_state (member_id, referral_count)
    select member_id, referral_count from standing where referral_count > 0;
  insert into top100_notified (member_id)
    select member_id from standing order by sort_key limit ${maskCount};
  update top100_cursor set next_sequence = line_state.next_sequence from line_state;
  update reminder_cursor set next_sequence = line_state.next_sequence from line_state;`;

/** Returns a function that restores all. The catalogue includes indexes of later schemas. */
async function dropStructure(runSql: RunSql): Promise<() => Promise<void>> {
  const { rows } = await runSql<{ remove: string; restore: string }>(STRUCTURE);
  for (const { remove } of rows) await runSql(remove);
  const setTriggers = (state: string) =>
    runSql(`alter table member ${state} trigger user; alter table standing ${state} trigger user`);
  await setTriggers('disable');
  return async () => {
    for (const { restore } of rows.toReversed()) await runSql(restore);
    await setTriggers('enable');
  };
}

/** Foreign keys first, which depend on the keys, and indexes that are no keys last. */
const STRUCTURE = `
  select
    format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname,
      pg_get_constraintdef(oid)) as restore
  from (
    select * from pg_constraint
    where (conrelid in ('member'::regclass, 'standing'::regclass)
        or confrelid = 'member'::regclass)
      and contype in ('f', 'p', 'u')
    order by contype, conname) keys
  union all
  select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
  from pg_index
  where indrelid in ('member'::regclass, 'standing'::regclass)
    and not exists (select from pg_constraint where conindid = indexrelid
      and contype in ('p', 'u'))`;

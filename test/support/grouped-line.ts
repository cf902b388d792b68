/** A line of honest groups and cheats, each the friends of one member. */
import { sql } from 'kysely';
import { seedRandom } from '../../brand/art/seeded-random.ts';
import type { Database } from '../../server/db/database.ts';
import { HOUR_MS } from '../../server/durations.ts';

type Group = {
  readonly friends: number;
  readonly confirmed: number;
  /** Span of the joins in hours, ending an hour ago. */
  readonly over: number;
  readonly domains: readonly string[];
  /** 0: as many as friends. */
  readonly networks: number;
  readonly browsers: number;
  readonly nearMisses?: number;
  /** The last of them, who are held. */
  readonly held?: number;
  /** They have no traces because they joined longer ago. */
  readonly isOld?: boolean;
};

const FREE = ['gmail.com', 'gmail.com', 'icloud.com', 'gmx.de', 'outlook.com'];
export const HONEST_GROUPS = {
  family: { friends: 6, confirmed: 6, over: 70, domains: FREE, networks: 2, browsers: 5 },
  office: {
    ...{ friends: 24, confirmed: 19, over: 52, domains: ['firm.example'] },
    ...{ networks: 1, browsers: 9, nearMisses: 2 },
  },
  school: {
    ...{ friends: 27, confirmed: 21, over: 30, domains: ['school.example', ...FREE.slice(0, 1)] },
    ...{ networks: 3, browsers: 8 },
  },
  gym: { friends: 20, confirmed: 16, over: 480, domains: FREE, networks: 1, browsers: 1 },
  creator: { friends: 460, confirmed: 320, over: 240, domains: FREE, networks: 0, browsers: 30 },
  alumni: {
    ...{ friends: 12, confirmed: 10, over: 600, domains: FREE },
    ...{ networks: 0, browsers: 6, isOld: true },
  },
} as const satisfies Readonly<Record<string, Group>>;

export const CHEATS = {
  evening: {
    ...{ friends: 30, confirmed: 30, over: 2, domains: ['mine.example'] },
    ...{ networks: 1, browsers: 2, nearMisses: 4 },
  },
  residential: {
    ...{ friends: 60, confirmed: 60, over: 1, domains: ['one.example', 'two.example'] },
    ...{ networks: 0, browsers: 12 },
  },
  invented: { friends: 30, confirmed: 1, over: 5, domains: FREE, networks: 1, browsers: 2 },
  bought: {
    ...{ friends: 20, confirmed: 15, over: 3, domains: ['gmail.com'] },
    ...{ networks: 2, browsers: 1, nearMisses: 5, held: 5 },
  },
} as const satisfies Readonly<Record<string, Group>>;

/** Members who each brought the next one, at a domain that anybody can fill. */
const CHAIN = 8;
/** Members without friends. */
const SINGLES = 40;

type Row = Readonly<Record<string, string | number | boolean | null>>;

const idOf = (number: number) => `018f2b5e-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** The line must be empty. Returns the ids of those who brought the groups, by name. */
export async function fillGroups(database: Database): Promise<Readonly<Record<string, string>>> {
  const random = seedRandom('grouped line');
  const pick = (below: number) => Math.floor(random.between(0, below));
  const now = Date.now();
  const members: Row[] = [];
  const traces: Row[] = [];
  const ids: Record<string, string> = {};
  const add = (member: Row) => {
    const number = members.length + 1;
    const id = idOf(number);
    const email = String(member.email);
    members.push({
      ...{ id, sequence: number, code: String(number).padStart(10, '0'), referrer: null },
      ...{
        is_confirmed: true,
        is_near_miss: false,
        is_held: false,
        joined_ms: now - 700 * HOUR_MS,
      },
      ...member,
      email,
    });
    return id;
  };
  for (let number = 0; number < SINGLES; number += 1) add({ email: `ghost${number}@gmail.com` });
  for (let number = 0, referrer: string | null = null; number < CHAIN; number += 1) {
    referrer = add({ email: `link${number}@ring.example`, referrer });
    ids[`link${number}`] = referrer;
  }
  let network = 1;
  for (const [name, group] of Object.entries<Group>({ ...HONEST_GROUPS, ...CHEATS })) {
    const referrer = add({ email: `${name}@gmail.com` });
    ids[name] = referrer;
    for (let number = 0; number < group.friends; number += 1) {
      const id = add({
        email: `${name}.${number}@${group.domains[pick(group.domains.length)]}`,
        referrer,
        is_confirmed: number < group.confirmed,
        is_near_miss: number < (group.nearMisses ?? 0),
        is_held: number >= group.friends - (group.held ?? 0),
        joined_ms: now - HOUR_MS - Math.floor(random.between(0, group.over * HOUR_MS)),
      });
      if (group.isOld) continue;
      const narrow = group.networks === 0 ? network + number : network + pick(group.networks);
      traces.push({ id, narrow, hints: 1 + pick(group.browsers) });
    }
    network += group.networks || group.friends;
  }
  await sql`
    insert into mail_domain (domain, kind, check_at)
    values ('firm.example', 'hosted', now()), ('school.example', 'hosted', now())
  `.execute(database.kysely);
  await sql`
    insert into standing (member_id, sort_key)
    select id, sequence from json_to_recordset(${JSON.stringify(members)}::json)
      as row (id uuid, sequence bigint)
  `.execute(database.kysely);
  await sql`
    insert into member (id, sequence, joined_at, join_position, request_hash, is_invited, email,
      email_identity, referral_code, referrer_id, credit, confirmed_at)
    select id, sequence, to_timestamp(joined_ms / 1000), sequence, gen_random_uuid(),
      referrer is not null, email, email, code, referrer,
      case when referrer is null then 'none' when is_held then 'held' else 'given' end,
      case when is_confirmed then now() end
    from json_to_recordset(${JSON.stringify(members)}::json) as row (
      id uuid, sequence bigint, joined_ms float8, email text, code text, referrer uuid,
      is_confirmed boolean, is_held boolean)
  `.execute(database.kysely);
  await sql`
    insert into credit_case (member_id, rules, score, holds)
    select id, '{same-network}', 60, is_held
    from json_to_recordset(${JSON.stringify(members)}::json) as row (
      id uuid, is_near_miss boolean, is_held boolean)
    where is_near_miss or is_held
  `.execute(database.kysely);
  await sql`
    insert into join_trace (member_id, key_id, server, narrow, wide, hints, flags)
    select id, 1, 1, narrow, 0, hints, 0 from json_to_recordset(${JSON.stringify(traces)}::json)
      as row (id uuid, narrow integer, hints integer)
  `.execute(database.kysely);
  await sql`update line_state set next_sequence = ${members.length + 1}::bigint`.execute(
    database.kysely,
  );
  await sql`select rebuild_line()`.execute(database.kysely);
  return ids;
}

/** A line of honest groups and cheats, each the friends of one member. */
import { sql } from 'kysely';
import { seedRandom } from '../../brand/art/seeded-random.ts';
import type { Database } from '../../server/db/database.ts';
import { HOUR_MS } from '../../server/durations.ts';
import { proveMailboxes } from '../../server/line/credits/prove-mailboxes.ts';

type Group = {
  readonly friends: number;
  readonly confirmed: number;
  /** Span of the joins in hours, ending an hour ago. */
  readonly over: number;
  readonly domains: readonly string[];
  /** 0: as many as friends. */
  readonly networks: number;
  /** The last of them, who are held. */
  readonly held?: number;
  /** They have no traces because they joined longer ago. */
  readonly isOld?: boolean;
};

const FREE = ['gmail.com', 'gmail.com', 'icloud.com', 'gmx.de', 'outlook.com'];
export const HONEST_GROUPS = {
  family: { friends: 6, confirmed: 6, over: 70, domains: FREE, networks: 2 },
  office: {
    friends: 24,
    confirmed: 19,
    over: 52,
    domains: ['firm.example'],
    networks: 1,
  },
  school: {
    friends: 27,
    confirmed: 21,
    over: 30,
    domains: ['school.example', ...FREE.slice(0, 1)],
    networks: 3,
  },
  gym: { friends: 20, confirmed: 16, over: 480, domains: FREE, networks: 1 },
  creator: { friends: 460, confirmed: 320, over: 240, domains: FREE, networks: 0 },
  alumni: {
    friends: 12,
    confirmed: 10,
    over: 600,
    domains: FREE,
    networks: 0,
    isOld: true,
  },
} as const satisfies Readonly<Record<string, Group>>;

const CHEATS = {
  evening: {
    friends: 30,
    confirmed: 30,
    over: 2,
    domains: ['mine.example'],
    networks: 1,
  },
  residential: {
    friends: 60,
    confirmed: 60,
    over: 1,
    domains: ['one.example', 'two.example'],
    networks: 0,
  },
  invented: { friends: 30, confirmed: 1, over: 5, domains: FREE, networks: 1 },
  bought: {
    friends: 20,
    confirmed: 15,
    over: 3,
    domains: ['gmail.com'],
    networks: 2,
    held: 5,
  },
} as const satisfies Readonly<Record<string, Group>>;

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
      id,
      sequence: number,
      code: String(number).padStart(10, '0'),
      referrer: null,
      ...{
        is_confirmed: true,
        is_held: false,
        joined_ms: now - 700 * HOUR_MS,
      },
      ...member,
      email,
    });
    return id;
  };
  for (let number = 0; number < SINGLES; number += 1) add({ email: `ghost${number}@gmail.com` });
  let network = 1;
  for (const [name, group] of Object.entries<Group>({ ...HONEST_GROUPS, ...CHEATS })) {
    const referrer = add({ email: `${name}@gmail.com` });
    ids[name] = referrer;
    for (let number = 0; number < group.friends; number += 1) {
      const id = add({
        email: `${name}.${number}@${group.domains[pick(group.domains.length)]}`,
        referrer,
        is_confirmed: number < group.confirmed,
        is_held: number >= group.friends - (group.held ?? 0),
        joined_ms: now - HOUR_MS - Math.floor(random.between(0, group.over * HOUR_MS)),
      });
      if (group.isOld) continue;
      const own = group.networks === 0 ? number : pick(group.networks);
      traces.push({ id, network: network + own });
    }
    network += group.networks || group.friends;
  }
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
    insert into credit_case (member_id, decided_at, decided_by)
    select id, now(), 'operator' from member where credit = 'held'
  `.execute(database.kysely);
  await sql`
    insert into join_trace (member_id, network)
    select id, network from json_to_recordset(${JSON.stringify(traces)}::json)
      as row (id uuid, network integer)
  `.execute(database.kysely);
  await sql`update line_state set next_sequence = ${members.length + 1}::bigint`.execute(
    database.kysely,
  );
  await sql`select rebuild_line()`.execute(database.kysely);
  await proveMailboxes(database);
  return ids;
}

/** A line of honest groups and cheats, each the friends of one member. */
import { sql } from 'kysely';
import { seedRandom } from '../../brand/art/seeded-random.ts';
import type { Database } from '../../server/db/database.ts';
import { type Friend, insertFriends } from './settled-friends.ts';

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
  office: { friends: 24, confirmed: 19, over: 52, domains: ['firm.example'], networks: 1 },
  school: {
    friends: 27,
    confirmed: 21,
    over: 30,
    domains: ['school.example', ...FREE.slice(0, 1)],
    networks: 3,
  },
  gym: { friends: 20, confirmed: 16, over: 480, domains: FREE, networks: 1 },
  creator: { friends: 460, confirmed: 320, over: 240, domains: FREE, networks: 0 },
  alumni: { friends: 12, confirmed: 10, over: 600, domains: FREE, networks: 0, isOld: true },
} as const satisfies Readonly<Record<string, Group>>;

const CHEATS = {
  evening: { friends: 30, confirmed: 30, over: 2, domains: ['mine.example'], networks: 1 },
  residential: {
    friends: 60,
    confirmed: 60,
    over: 1,
    domains: ['one.example', 'two.example'],
    networks: 0,
  },
  invented: { friends: 30, confirmed: 1, over: 5, domains: FREE, networks: 1 },
  bought: { friends: 20, confirmed: 15, over: 3, domains: ['gmail.com'], networks: 2, held: 5 },
} as const satisfies Readonly<Record<string, Group>>;

/** Members without friends. */
const SINGLES = 40;

/** The line must be empty. Returns the ids of those who brought the groups, by name. */
export async function fillGroups(database: Database): Promise<Readonly<Record<string, string>>> {
  const random = seedRandom('grouped line');
  const pick = (below: number) => Math.floor(random.between(0, below));
  const people = Array.from({ length: SINGLES }, (_, number) => memberOf(`ghost${number}`));
  /** By the index of a friend. */
  const traces: { index: number; hours_ago: number; network: number | null }[] = [];
  const inviters = new Map<string, number>();
  let network = 1;
  for (const [name, group] of Object.entries<Group>({ ...HONEST_GROUPS, ...CHEATS })) {
    const { friends, confirmed, over, domains, networks, held = 0, isOld = false } = group;
    const referrer = people.push(memberOf(name)) - 1;
    inviters.set(name, referrer);
    for (let number = 0; number < friends; number += 1) {
      const domain = domains[pick(domains.length)] ?? '';
      const index = people.push({
        name: `${name}.${number}`,
        domain,
        referrer,
        credit: number >= friends - held ? 'held' : 'given',
        confirmedMinute: number < confirmed ? 0 : null,
      });
      const hoursAgo = 1 + random.between(0, over);
      const own = networks === 0 ? number : pick(networks);
      traces.push({
        index: index - 1,
        hours_ago: hoursAgo,
        network: isOld ? null : network + own,
      });
    }
    network += networks || friends;
  }
  const ids = await insertFriends(database, people);
  const rows = JSON.stringify(traces.map(({ index, ...trace }) => ({ id: ids[index], ...trace })));
  await sql`
    update member set joined_at = now() - interval '1 hour' * coalesce(
      (select hours_ago from json_to_recordset(${rows}::json) as row (id uuid, hours_ago float8)
        where row.id = member.id), 700)
  `.execute(database.kysely);
  await sql`
    insert into join_trace (member_id, network)
    select id, network from json_to_recordset(${rows}::json) as row (id uuid, network integer)
    where network is not null
  `.execute(database.kysely);
  return Object.fromEntries([...inviters].map(([name, index]) => [name, ids[index] ?? '']));
}

function memberOf(name: string): Friend {
  return { name, domain: 'gmail.com', referrer: null, confirmedMinute: 0 };
}

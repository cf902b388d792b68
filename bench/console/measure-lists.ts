/** Server time of pages of the member list: every order, many filters, first and deep pages. */
import { setTimeout as pause } from 'node:timers/promises';
import { brand } from '../../brand/brand.ts';
import type { MemberFilter } from '../../contract/operator/member-filter.ts';
import { MEMBER_SORTS, type MemberPage, ORDERS } from '../../contract/operator/member-list.ts';
import type { Database } from '../../server/db/database.ts';
import { openAddressSearch } from '../../server/members/list/addresses/address-search.ts';
import { readOrder, writeCursor } from '../../server/members/list/list-cursor-rules.ts';
import { countMembers, listMembers } from '../../server/members/list/list-members.ts';
import { median } from '../statistics.ts';

export type ListFigures = {
  readonly name: string;
  /** Over all orders and directions, in milliseconds. */
  readonly firstMedian: number;
  readonly firstMax: number;
  readonly deepMedian: number;
  readonly deepMax: number;
  readonly countMs: number;
  readonly counted: string;
  /** Pages that ran out of time before they were full. */
  readonly partial: number;
  readonly pages: number;
};

const ROUNDS = 3;
/** How far a deep page is from the first: the cursor of a member so far behind. */
const DEEP_PAGES = 20;

/** Filters by name; `joined_at` of the made-up members ends a day ago. */
function filtersOf(now: number): Readonly<Record<string, MemberFilter>> {
  const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString();
  return {
    'no filter': {},
    'tier 0': { tier: 0 },
    'tier 1': { tier: 1 },
    'tier 5': { tier: 5 },
    'credit none': { credit: 'none' },
    'credit given': { credit: 'given' },
    'credit held': { credit: 'held' },
    'credit refused': { credit: 'refused' },
    'credit pending': { credit: 'pending' },
    confirmed: { confirmed: true },
    'not confirmed': { confirmed: false },
    'source instagram': { source: 'instagram' },
    'source flyer': { source: 'flyer' },
    'mail sending': { mail: 'sending' },
    'mail bounced': { mail: 'bounced' },
    'joined in 1 hour': { joined_from: daysAgo(10), joined_to: daysAgo(10 - 1 / 24) },
    'joined in 1 day': { joined_from: daysAgo(10), joined_to: daysAgo(9) },
    'joined in the last 10 days': { joined_from: daysAgo(11) },
    'part: mail.example': { text: 'mail.example' },
    'part: zuri.weber': { text: 'zuri.weber' },
    'part: 4711@': { text: '4711@' },
    'part: zz': { text: 'zz' },
    'part: nobody has it': { text: 'qqqq' },
    'a position': { text: `#${500_000}` },
    'tier 1, joined in 10 days': { tier: 1, joined_from: daysAgo(11) },
    'confirmed, credit held, zuri': { confirmed: true, credit: 'held', text: 'zuri' },
    'tier 0, not confirmed, bounced': { tier: 0, confirmed: false, mail: 'bounced' },
  };
}

export async function measureLists(
  database: Database,
  log: (line: string) => void,
): Promise<{ lists: ListFigures[]; readySeconds: number }> {
  const addresses = openAddressSearch(database);
  const options = { database, brand, addresses };
  const beganAt = performance.now();
  while ((await addresses.find(['nobody'], 1)) === 'not_ready') await pause(50);
  const readySeconds = (performance.now() - beganAt) / 1000;
  const lists: ListFigures[] = [];
  for (const [name, filter] of Object.entries(filtersOf(Date.now()))) {
    const figures = await measureFilter(options, name, filter);
    log(`${name}: first ${figures.firstMax.toFixed(0)}, deep ${figures.deepMax.toFixed(0)} ms`);
    lists.push(figures);
  }
  await addresses.close();
  return { lists, readySeconds };
}

async function measureFilter(
  options: Parameters<typeof listMembers>[0],
  name: string,
  filter: MemberFilter,
): Promise<ListFigures> {
  const first: number[] = [];
  const deep: number[] = [];
  let [partial, pages] = [0, 0];
  async function timePage(
    request: Parameters<typeof listMembers>[1],
  ): Promise<[number, MemberPage]> {
    const beganAt = performance.now();
    const page = await listMembers(options, { filter, ...request });
    const elapsed = performance.now() - beganAt;
    pages += 1;
    if (page.is_partial) partial += 1;
    return [elapsed, page];
  }
  for (const sort of MEMBER_SORTS)
    for (const order of ORDERS) {
      const rounds: number[] = [];
      let next: string | null = null;
      for (let round = 0; round < ROUNDS; round += 1) {
        const [elapsed, page] = await timePage({ sort, order });
        rounds.push(elapsed);
        next = page.next;
      }
      first.push(median(rounds));
      for (let turn = 0; turn < DEEP_PAGES && next !== null; turn += 1) {
        const after: string = next;
        const [elapsed, page] = await timePage({ sort, order, after });
        next = page.next;
        deep.push(elapsed);
      }
      const middle = await middleCursor(options, sort, order);
      const [elapsed] = await timePage({ sort, order, after: middle });
      deep.push(elapsed);
    }
  const beganAt = performance.now();
  const { count, is_exact } = await countMembers(options, filter);
  const countMs = performance.now() - beganAt;
  return {
    name,
    firstMedian: median(first),
    firstMax: Math.max(...first),
    deepMedian: median(deep),
    deepMax: Math.max(...deep),
    countMs,
    counted: `${is_exact ? '' : '> '}${count.toLocaleString('en')}`,
    partial,
    pages,
  };
}

/** The cursor in the middle of the whole line, found by position. */
async function middleCursor(
  options: Parameters<typeof listMembers>[0],
  sort: (typeof MEMBER_SORTS)[number],
  order: (typeof ORDERS)[number],
): Promise<string> {
  const { count } = await countMembers(options, {});
  const text = `#${Math.floor(count / 2)}`;
  const { members } = await listMembers(options, { filter: { text } });
  const [member] = members;
  if (member === undefined) throw new Error('There is nobody in the middle.');
  const key = await readKey(options.database, member.id);
  return writeCursor(readOrder(sort, order), key[sort]);
}

type Keys = Readonly<Record<(typeof MEMBER_SORTS)[number], readonly [number, number]>>;

async function readKey({ runSql }: Database, id: string): Promise<Keys> {
  const { rows } = await runSql(
    `select sort_key, referral_count, sequence,
       (extract(epoch from joined_at) * 1000000)::bigint as joined
     from member join standing on member_id = id where id = $1`,
    [id],
  );
  const [row] = rows as Record<'sort_key' | 'referral_count' | 'sequence' | 'joined', number>[];
  if (row === undefined) throw new Error(`There is no member ${id}.`);
  return {
    position: [row.sort_key, 0],
    joined: [row.joined, row.sequence],
    referrals: [-row.referral_count, row.sort_key],
  };
}

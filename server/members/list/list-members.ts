import type { Brand } from '../../../brand/brand-shape.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import type {
  MemberCount,
  MemberListRequest,
  MemberPage,
  MemberSort,
} from '../../../contract/operator/member-list.ts';
import type { Database } from '../../db/database.ts';
import type { AddressSearch } from './addresses/address-search.ts';
import { type Criteria, countCriteria, readFilter } from './filter-rules.ts';
import { type ListKey, readCursor, readOrder, writeCursor } from './list-cursor-rules.ts';
import {
  type Candidates,
  candidatesOf,
  countCandidates,
  countMatching,
  type ListedRow,
  readListed,
  readTotal,
} from './list-store.ts';
import { viewListed } from './listed-member.ts';

const PAGE_MEMBERS = 50;
/** So few are looked up one by one, and sorted. Where more match, walking meets them soon. */
const MAX_CANDIDATES = 5_000;
const MAX_COUNTED = 10_000;
/** Then a page is returned as it is: the client asks for the rest, and visitors get a turn. */
const WALK_MS = 40;
const COUNT_MS = 60;
/** Small steps first: where many match, the first is enough. The last repeats. */
const STEPS = [500, 1_500] as const;

type ListOptions = {
  readonly database: Database;
  readonly brand: Pick<Brand, 'tiers'>;
  readonly addresses: AddressSearch;
};

/**
 * A page of the members that match, in an order. However long the line is, it takes a fraction of
 * a second: see decision 0064. Throws Problem invalid_field.
 */
export async function listMembers(
  { database, brand, addresses }: ListOptions,
  { filter = {}, sort, order: asked, after, limit = PAGE_MEMBERS }: MemberListRequest,
): Promise<MemberPage> {
  const criteria = readFilter(filter, brand.tiers);
  const order = readOrder(sort, asked);
  const start = after === undefined ? null : readCursor(after, order);
  const candidates = await findCandidates({ database, addresses }, criteria);
  const query = { criteria, order, limit: limit + 1 };
  if (candidates !== null) {
    const source = { kind: 'candidates', candidates } as const;
    const { rows } = await readListed(database, { ...query, after: start, source });
    return page(rows, null);
  }

  const rows: ListedRow[] = [];
  let key = start;
  for (const size of walkSteps(countCriteria(criteria) > 0 ? STEPS : [limit + 1], WALK_MS)) {
    const wanted = limit + 1 - rows.length;
    const source = { kind: 'walk', members: size } as const;
    const step = await readListed(database, { ...query, limit: wanted, after: key, source });
    rows.push(...step.rows);
    key = step.lastKey;
    if (rows.length > limit || step.looked < size) return page(rows, null);
  }
  return page(rows, key);

  /** `reached` is where a walk stopped before the page was full. */
  function page(found: readonly ListedRow[], reached: ListKey | null): MemberPage {
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const end: ListKey | null =
      found.length > limit && last !== undefined ? [last.key_first, last.key_second] : reached;
    return {
      members: shown.map((row) => viewListed(brand, row)),
      next: end === null ? null : writeCursor(order, end),
      is_partial: end !== null && found.length <= limit,
    };
  }
}

/** How many members match: exactly, or that more do than could be counted in a moment. */
export async function countMembers(
  { database, brand, addresses }: ListOptions,
  filter: MemberFilter,
): Promise<MemberCount> {
  const criteria = readFilter(filter, brand.tiers);
  if (countCriteria(criteria) === 0) return { count: await readTotal(database), is_exact: true };
  const candidates = await findCandidates({ database, addresses }, criteria);
  const order = readOrder(sortFor(criteria), 'asc');
  if (candidates !== null) {
    const source = { kind: 'candidates', candidates } as const;
    const { matching } = await countMatching(database, { criteria, order, after: null, source });
    return { count: matching, is_exact: true };
  }
  const [only] = candidatesOf(criteria, null);
  if (countCriteria(criteria) === 1 && only !== undefined) {
    const [counted = 0] = await countCandidates(database, [only], MAX_COUNTED + 1);
    return upTo(counted);
  }
  let count = 0;
  let key: ListKey | null = null;
  for (const size of walkSteps(STEPS, COUNT_MS)) {
    const source = { kind: 'walk', members: size } as const;
    const step = await countMatching(database, { criteria, order, after: key, source });
    count += step.matching;
    key = step.lastKey;
    if (step.looked < size) return upTo(count);
    if (count > MAX_COUNTED) break;
  }
  return { count: Math.min(count, MAX_COUNTED), is_exact: false };
}

/** The order in which the fewest members have to be looked at. */
function sortFor({ joinedFrom, joinedTo, referrals }: Criteria): MemberSort {
  if (joinedFrom !== null || joinedTo !== null) return 'joined';
  return referrals === null ? 'position' : 'referrals';
}

function upTo(counted: number): MemberCount {
  return { count: Math.min(counted, MAX_COUNTED), is_exact: counted <= MAX_COUNTED };
}

function* walkSteps(sizes: readonly number[], forMs: number): Generator<number> {
  const beganAt = performance.now();
  for (let step = 0; step === 0 || performance.now() - beganAt < forMs; step += 1)
    yield sizes[Math.min(step, sizes.length - 1)] ?? 0;
}

/** The fewest that an index finds for one of the criteria; null when none finds few. */
async function findCandidates(
  { database, addresses }: Pick<ListOptions, 'database' | 'addresses'>,
  criteria: Criteria,
): Promise<Candidates | null> {
  const most = MAX_CANDIDATES;
  const sequences = await findByAddress(addresses, criteria, most);
  const candidates = candidatesOf(criteria, sequences);
  const [only] = candidates;
  if (sequences !== null && only !== undefined) return only;
  const counts = await countCandidates(database, candidates, most + 1);
  const fewest = Math.min(...counts);
  return fewest > most ? null : (candidates[counts.indexOf(fewest)] ?? null);
}

async function findByAddress(
  addresses: AddressSearch,
  { text }: Criteria,
  most: number,
): Promise<readonly number[] | null> {
  if (text?.kind !== 'words') {
    addresses.prepare();
    return null;
  }
  const found = await addresses.find(text.parts, most);
  return typeof found === 'string' ? null : found;
}

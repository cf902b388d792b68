import type { Brand } from '../../../brand/brand-shape.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import type {
  MemberCount,
  MemberListRequest,
  MemberPage,
  MemberSort,
} from '../../../contract/operator/member-list.ts';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { pageOf, unknownKey } from '../../http/cursor-rules.ts';
import { readTotal } from '../../line/store.ts';
import { type Criteria, countCriteria, readFilter, type TextCriterion } from './filter-rules.ts';
import { type ListKey, readCursor, readOrder, writeCursor } from './list-cursor-rules.ts';
import {
  type Candidates,
  candidatesOf,
  countCandidates,
  countMatching,
  readLastSequence,
  readListed,
  readWithText,
} from './list-store.ts';
import { viewMember } from './read-members.ts';
import { membersOf } from './sheet-store.ts';

const PAGE_MEMBERS = 50;
/** So few are looked up one by one, and sorted. Where more match, walking meets them soon. */
const MAX_CANDIDATES = 5_000;
const MAX_COUNTED = 10_000;
/** Then the answer is partial: the client requests the rest, and visitors are served between. */
const WALK_MS = 40;
const COUNT_MS = 60;
const STEPS = [500, 1_500] as const;
/** Some milliseconds, for which joins wait on the embedded engine. */
const SEARCHED_AT_ONCE = 20_000;

type ListOptions = {
  readonly database: Database;
  readonly brand: Pick<Brand, 'tiers'>;
};

/** Decision 0064 says why it is fast on any line. Throws Problem invalid_field. */
export async function listMembers(
  { database, brand }: ListOptions,
  { filter = {}, sort, order: direction, after, limit = PAGE_MEMBERS }: MemberListRequest,
): Promise<MemberPage> {
  const criteria = readFilter(filter, brand.tiers);
  const order = readOrder(sort, direction);
  let key = after === undefined ? null : readCursor(after, order);
  if (after !== undefined && key === null) throw unknownKey();
  const candidates = await findCandidates(database, criteria);
  const steps = countCriteria(criteria) > 0 ? STEPS : [limit + 1];
  const rows: Awaited<ReturnType<typeof readListed>>['rows'] = [];
  let isDone = false;
  for (const among of candidates === null ? walkSteps(steps, WALK_MS) : [candidates]) {
    const wanted = { criteria, order, after: key, among, limit: limit + 1 - rows.length };
    const step = await readListed(database, wanted);
    rows.push(...step.rows);
    key = step.lastKey;
    isDone = typeof among !== 'number' || rows.length > limit || step.looked < among;
    if (isDone) break;
  }
  const { shown, next } = pageOf(rows, limit, ({ key: last }) => last);
  const end = next ?? (isDone ? null : key);
  return {
    members: shown.map(({ member }) => viewMember(brand.tiers, member)),
    next: end === null ? null : writeCursor(order, end),
    is_partial: end !== next,
  };
}

export async function countMembers(
  { database, brand }: ListOptions,
  filter: MemberFilter,
): Promise<MemberCount> {
  const criteria = readFilter(filter, brand.tiers);
  const { positions } = criteria;
  if (countCriteria(criteria) === Number(positions !== null))
    return { count: countWithin(positions, await readTotal(database)), is_exact: true };
  const candidates = await findCandidates(database, criteria);
  const [only] = candidatesOf(criteria);
  if (candidates === null && countCriteria(criteria) === 1 && only !== undefined) {
    const [counted = 0] = await countCandidates(database, [only], MAX_COUNTED + 1);
    return upTo(counted);
  }
  const order = readOrder(sortFor(criteria), 'asc');
  let count = 0;
  let after: ListKey | null = null;
  for (const among of candidates === null ? walkSteps(STEPS, COUNT_MS) : [candidates]) {
    const step = await countMatching(database, { criteria, order, after, among });
    count += step.matching;
    after = step.lastKey;
    if (typeof among !== 'number' || step.looked < among) return upTo(count);
    if (count > MAX_COUNTED) break;
  }
  return { count: Math.min(count, MAX_COUNTED), is_exact: false };
}

function countWithin(positions: Criteria['positions'], total: number): number {
  if (positions === null) return total;
  const { least, most } = positions;
  return Math.max(0, Math.min(most, total) - Math.max(least, 1) + 1);
}

function sortFor({ joinedFrom, joinedTo, positions, referrals }: Criteria): MemberSort {
  if (joinedFrom !== null || joinedTo !== null) return 'joined';
  return referrals === null || positions !== null ? 'position' : 'referrals';
}

function upTo(counted: number): MemberCount {
  return { count: Math.min(counted, MAX_COUNTED), is_exact: counted <= MAX_COUNTED };
}

function* walkSteps(sizes: readonly number[], forMs: number): Generator<number> {
  const beganAt = performance.now();
  for (let step = 0; step === 0 || performance.now() - beganAt < forMs; step += 1)
    yield sizes[Math.min(step, sizes.length - 1)] ?? 0;
}

/** The fewest that are found for one of the criteria; null when none is met by few. */
async function findCandidates(database: Database, criteria: Criteria): Promise<Candidates | null> {
  const candidates = candidatesOf(criteria);
  const counts = await countCandidates(database, candidates, MAX_CANDIDATES + 1);
  const fewest = Math.min(...counts);
  if (fewest <= MAX_CANDIDATES) return candidates[counts.indexOf(fewest)] ?? null;
  const ids = criteria.text && (await findByText(database, criteria.text));
  return ids && membersOf(ids);
}

/** Ids of members; null for too many. */
async function findByText(database: Database, text: TextCriterion): Promise<string[] | null> {
  const found: string[] = [];
  const last = await readLastSequence(database);
  for (let after = 0; after < last; after += SEARCHED_AT_ONCE) {
    if (after > 0) await letOthersIn();
    found.push(...(await readWithText(database, text, { after, limit: SEARCHED_AT_ONCE })));
    if (found.length > MAX_CANDIDATES) return null;
  }
  return found;
}

/** Counts the demo's page visits and opened invites, and confirms the addresses of most members. */
import { seedRandom } from '../brand/art/seeded-random.ts';
import { type Counters, openCounters } from '../server/line/funnel/counters.ts';
import { confirmAll } from './demo-store.ts';
import type { Line } from './play-joins.ts';
import type { Stage } from './stage.ts';

/** Visits of a page for each member who joined from it. */
const VISITS = { landing: { least: 4, most: 9 }, invite: { least: 1, most: 4 } } as const;
/** Share of members who confirm their address. */
const CONFIRMED_SHARE = 0.62;
/** Share of members whose link was opened although nobody joined by it. */
const OPENED_SHARE = 0.2;

/** For the members from `first` on. */
export async function playVisits(
  { database }: Pick<Stage, 'database'>,
  { line: { joins, joined }, first, seed }: { line: Line; first: number; seed: string },
): Promise<void> {
  const random = seedRandom(`${seed} visits ${first}`);
  const counters = openCounters({
    database,
    onFailure(error) {
      throw error;
    },
  });
  const confirmed: string[] = [];
  for (const [index, { id, referral_code: code }] of joined.entries()) {
    if (index < first) continue;
    const { inviter = null, source = null } = joins[index] ?? {};
    const page = inviter === null ? 'landing' : 'invite';
    const { least, most } = VISITS[page];
    countVisits(counters, { page, source, visits: random.between(least, most) });
    if (inviter !== null) counters.countOpening(joined[inviter]?.referral_code ?? '');
    if (random.chance(OPENED_SHARE)) counters.countOpening(code);
    if (random.chance(CONFIRMED_SHARE)) confirmed.push(id);
  }
  await confirmAll(database, confirmed);
  await counters.close();
}

type Visits = {
  readonly page: 'landing' | 'invite';
  readonly source: Parameters<Counters['countVisit']>[1];
  readonly visits: number;
};

function countVisits(counters: Counters, { page, source, visits }: Visits): void {
  for (let count = 0; count < visits; count += 1) counters.countVisit(page, source);
}

import { seedRandom } from '../../brand/art/seeded-random.ts';
import { brand } from '../../brand/brand.ts';
import type { Database } from '../../server/db/database.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../server/durations.ts';
import { countJoins } from '../../server/line/funnel/count-joins.ts';
import { openCounters } from '../../server/line/funnel/counters.ts';
import { queueDueNotifications } from '../../server/notifications/queue-due-notifications.ts';
import { goTo } from '../clock.ts';
import type { Stage } from '../stage.ts';
import { drawJoins, HISTORY_DAYS } from './draw-joins.ts';
import { listHappenings } from './happenings.ts';
import { type Line, openLine } from './line.ts';

const STEP_MS = 6 * HOUR_MS;

/** Plays the weeks before the drop, from their first day on, and comes to the present. */
export async function tellPast(
  stage: Stage,
  { members, seed }: { readonly members: number; readonly seed: string },
): Promise<void> {
  const { database } = stage;
  const line = openLine(database, drawJoins(members, seed));
  const due = listHappenings(stage, line).toSorted((one, other) => other.agoMs - one.agoMs);
  async function playStep(endMs: number): Promise<void> {
    const first = line.joined.length;
    await line.playUntil(endMs);
    if (line.joined.length > first) await playVisits(database, line, { seed, first });
  }
  for (let end = HISTORY_DAYS * DAY_MS - STEP_MS; end >= 0; end -= STEP_MS) {
    while (due[0] && due[0].agoMs >= end) {
      const { agoMs, happen } = due.shift() as (typeof due)[number];
      // The line gives nobody a time before that of the last join.
      await playStep(agoMs);
      goTo(agoMs);
      await happen();
    }
    await playStep(end);
  }
  goTo(0);
  await queueDueNotifications(database, { brand });
  await stage.settleMail();
  await countJoins(database, { maxMs: MINUTE_MS });
  await line.close();
}

const VISITS = { landing: { least: 4, most: 9 }, invite: { least: 1, most: 4 } } as const;
const CONFIRMED_SHARE = 0.62;
const OPENED_SHARE = 0.2;

async function playVisits(
  database: Database,
  { joins, joined }: Line,
  { seed, first }: { readonly seed: string; readonly first: number },
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
    const ip = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
    const visits = random.between(least, most);
    for (let count = 0; count < visits; count += 1) counters.countVisit(page, source, ip);
    if (inviter !== null) counters.countOpening(joined[inviter]?.referral_code ?? '');
    if (random.chance(OPENED_SHARE)) counters.countOpening(code);
    if (random.chance(CONFIRMED_SHARE)) confirmed.push(id);
  }
  await database.runSql('select confirm_member(id) from unnest($1::uuid[]) id', [confirmed]);
  await counters.close();
}

import { seedRandom } from '../../brand/art/seeded-random.ts';
import { brand } from '../../brand/brand.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../server/durations.ts';
import { countJoins } from '../../server/line/funnel/count-joins.ts';
import { openCounters } from '../../server/line/funnel/counters.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import { queueDueNotifications } from '../../server/notifications/queue-due-notifications.ts';
import { goTo } from '../clock.ts';
import type { Stage } from '../stage.ts';
import { confirmAll } from '../store.ts';
import { drawJoins, HISTORY_DAYS } from './draw-joins.ts';
import { listHappenings } from './happenings.ts';
import { type Join, type Line, playJoins } from './play-joins.ts';

type Plot = {
  readonly stage: Stage;
  readonly line: Line;
  readonly join: Join;
  readonly seed: string;
};

const STEP_MS = 6 * HOUR_MS;

/** Plays the weeks before the drop, from their first day on, and comes to the present. */
export async function tellPast(
  stage: Stage,
  { members, seed }: { readonly members: number; readonly seed: string },
): Promise<void> {
  const { database } = stage;
  const { join, close } = openJoinQueue({ database, brand });
  const plot = { stage, join, seed, line: { joins: drawJoins(members, seed), joined: [] } };
  const due = listHappenings(plot).toSorted((one, other) => other.agoMs - one.agoMs);
  for (let end = HISTORY_DAYS * DAY_MS - STEP_MS; end >= 0; end -= STEP_MS) {
    while (due[0] && due[0].agoMs >= end) {
      const { agoMs, happen } = due.shift() as (typeof due)[number];
      // The line gives nobody a time before that of the last join.
      await playStep(plot, agoMs);
      goTo(agoMs);
      await happen();
    }
    await playStep(plot, end);
  }
  goTo(0);
  await queueDueNotifications(database, { brand });
  await stage.settleMail();
  await countJoins(database, { maxMs: MINUTE_MS });
  await close();
}

async function playStep(plot: Plot, endMs: number): Promise<void> {
  const { join, line } = plot;
  const { joins, joined } = line;
  const first = joined.length;
  const later = joins.findIndex(({ agoMs }) => agoMs < endMs);
  await playJoins(join, line, later === -1 ? joins.length : later);
  if (joined.length > first) await playVisits(plot, first);
}

const VISITS = { landing: { least: 4, most: 9 }, invite: { least: 1, most: 4 } } as const;
const CONFIRMED_SHARE = 0.62;
const OPENED_SHARE = 0.2;

async function playVisits({ stage, line, seed }: Plot, first: number): Promise<void> {
  const { database } = stage;
  const { joins, joined } = line;
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
  await confirmAll(database, confirmed);
  await counters.close();
}

import { setTimeout as pause } from 'node:timers/promises';
import { seedRandom } from '../brand/art/seeded-random.ts';
import { brand } from '../brand/brand.ts';
import { countJoins } from '../server/line/funnel/count-joins.ts';
import { openCounters } from '../server/line/funnel/counters.ts';
import { openJoinQueue } from '../server/line/join/join.ts';
import { readBacklog } from '../server/notifications/delivery/backlog-store.ts';
import { queueDueNotifications } from '../server/notifications/queue-due-notifications.ts';
import { confirmAll } from './demo-store.ts';
import { drawJoins, HISTORY_DAYS } from './draw/draw-joins.ts';
import { happenings } from './happenings/happenings.ts';
import type { Receivers } from './happenings/plot.ts';
import { type Join, type Line, playJoins } from './play-joins.ts';
import { goTo, openStage, type Stage } from './stage.ts';

const HOUR_MS = 3_600_000;
const STEP_MS = 6 * HOUR_MS;
/** Sent mails are stored for three days, so older ones need not be sent. */
const MAILED_MS = 3 * 24 * HOUR_MS;
const MAIL_PATIENCE_MS = 5_000;
const MINUTE_MS = 60_000;

const silentBrand = {
  ...brand,
  mails: Object.fromEntries(
    Object.entries(brand.mails).map(([kind, mail]) => [
      kind,
      typeof mail === 'object' && 'isOn' in mail ? { ...mail, isOn: false } : mail,
    ]),
  ) as typeof brand.mails,
};

type PastOptions = {
  readonly siteDir: string;
  readonly members: number;
  readonly seed: string;
  readonly receivers: Receivers;
};

export async function playPast({ siteDir, members, seed, receivers }: PastOptions): Promise<void> {
  goTo(HISTORY_DAYS * 24 * HOUR_MS);
  const stage = await openStage(siteDir);
  const { database } = stage;
  const silent = openJoinQueue({ database, brand });
  const line: Line = { joins: drawJoins(members, seed), joined: [] };
  const due = happenings({ stage, line, join: silent.join, receivers }).toSorted(
    (one, other) => other.agoMs - one.agoMs,
  );
  for (let start = HISTORY_DAYS * 24 * HOUR_MS; start > 0; start -= STEP_MS) {
    const end = start - STEP_MS;
    const hasMail = start <= MAILED_MS;
    const join = hasMail ? stage.join : silent.join;
    while (due[0] && due[0].agoMs >= end) {
      const { agoMs, happen } = due.shift() as (typeof due)[number];
      // The line gives nobody a time before that of the last join.
      await playStep(stage, line, { end: agoMs, seed, join });
      goTo(agoMs);
      await happen();
    }
    await playStep(stage, line, { end, seed, join });
    if (hasMail) await drainMail(stage);
    await queueDueNotifications(database, { brand: hasMail ? brand : silentBrand });
  }
  goTo(0);
  await countJoins(database, { maxMs: MINUTE_MS });
  await silent.close();
  await stage.close();
}

async function playStep(
  stage: Stage,
  line: Line,
  { end, seed, join }: { end: number; seed: string; join: Join },
): Promise<void> {
  const first = line.joined.length;
  const later = line.joins.findIndex(({ agoMs }) => agoMs < end);
  await playJoins(join, { line, end: later === -1 ? line.joins.length : later });
  if (line.joined.length > first) await playVisits(stage, { line, first, seed });
}

async function drainMail({ database }: Stage): Promise<void> {
  const until = performance.now() + MAIL_PATIENCE_MS;
  for (;;) {
    const { waiting, stuck } = await readBacklog(database);
    if (waiting <= stuck || performance.now() > until) return;
    await pause(20);
  }
}

const VISITS = { landing: { least: 4, most: 9 }, invite: { least: 1, most: 4 } } as const;
const CONFIRMED_SHARE = 0.62;
const OPENED_SHARE = 0.2;

async function playVisits(
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

import * as made from '../../bench/members/fill-line.ts';
import { type SeededRandom, seedRandom } from '../../brand/art/seeded-random.ts';
import { DAY_MS, MINUTE_MS } from '../../server/durations.ts';
import { readSource, type Source } from '../../server/line/sources/source-rules.ts';

export type DrawnJoin = {
  readonly agoMs: number;
  readonly email: string;
  readonly source: Source | null;
  readonly inviter: number | null;
};

export const HISTORY_DAYS = 40;
const LAST_MS = 4 * MINUTE_MS;

const INVITED_SHARE = 0.38;
const SHARING = 0.3;
/** Share of friends that come by the link of somebody who joined in the last hours. */
const RECENT_SHARE = 0.35;

/** Joins in each hour of the day from midnight, compared with the busiest. */
const HOURS = [
  0.3, 0.2, 0.12, 0.1, 0.1, 0.15, 0.3, 0.45, 0.5, 0.5, 0.55, 0.6, 0.7, 0.6, 0.55, 0.6, 0.65, 0.75,
  0.85, 0.95, 1, 0.95, 0.75, 0.5,
];

/** What a day has beyond the others, by its number. */
const CROWDS: Readonly<Record<number, number>> = {
  0: 9,
  1: 4,
  2: 2,
  17: 5,
  18: 2.5,
  31: 3,
  38: 1.8,
};

/** How often somebody comes from there, as links and browsers say it. */
const ORIGINS = {
  '': 26,
  'utm_source=instagram&utm_medium=social&utm_campaign=unseen&referring_host=l.instagram.com': 22,
  'utm_source=tiktok&utm_medium=social&utm_campaign=unseen': 12,
  'utm_source=newsletter&utm_medium=email&utm_campaign=november drop': 9,
  'referring_host=www.google.com': 8,
  'referring_host=www.youtube.com': 6,
  'referring_host=www.reddit.com': 5,
};

const CHANNELS = ['via=copy', 'via=share', 'via=copy', 'via=mail', ''] as const;

const FIRST_NAMES = ['björn', ...made.FIRST_NAMES.split(',')];
const LAST_NAMES = made.LAST_NAMES.split(',');
export const DOMAINS = (
  'mail.example mail.example mail.example post.example inbox.example studio.example ' +
  'students.campus.example correspondence.university-of-applied-sciences.example'
).split(' ');
export const DEAD_DOMAIN = 'gone.example';

/** Joins ordered by time. Times depend on the present hour, everything else on the seed. */
export function drawJoins(members: number, seed: string): DrawnJoin[] {
  const random = seedRandom(seed);
  const times = drawTimes(members, seedRandom(`${seed} times`));
  const tickets: number[] = [];
  return times.map((agoMs, index) => {
    const shares = random.chance(SHARING);
    const isInvited = tickets.length > 0 && random.chance(INVITED_SHARE);
    const inviter = isInvited ? drawInviter(tickets, random) : null;
    if (inviter !== null) tickets.push(inviter);
    if (shares) tickets.push(index);
    return {
      agoMs,
      email: drawAddress(index, random),
      source: inviter === null ? drawSource(random) : sourceOf(random.pick(CHANNELS)),
      inviter,
    };
  });
}

function drawTimes(members: number, random: SeededRandom): number[] {
  const sizes = Array.from({ length: HISTORY_DAYS }, (_, day) => {
    return (CROWDS[day] ?? 0) + 0.6 + 1.4 * Math.exp(-day / 9) + random.between(0, 0.25);
  });
  const drawTime = (): number => {
    const day = drawByWeight(sizes, random);
    const agoMs = Math.floor((HISTORY_DAYS - day - random.between(0, 1)) * DAY_MS);
    const hour = new Date(Date.now() - agoMs).getHours();
    return random.chance(HOURS[hour] ?? 1) && agoMs > LAST_MS ? agoMs : drawTime();
  };
  return Array.from({ length: members }, drawTime).toSorted((earlier, other) => other - earlier);
}

function drawInviter(tickets: readonly number[], random: SeededRandom): number {
  const from = random.chance(RECENT_SHARE) ? Math.max(0, tickets.length - 40) : 0;
  return tickets[Math.floor(random.between(from, tickets.length))] ?? 0;
}

function drawAddress(index: number, random: SeededRandom): string {
  const draw = (words: readonly string[]) => words[Math.floor(random.between(0, words.length))];
  const domain = random.chance(0.004) ? DEAD_DOMAIN : (draw(DOMAINS) ?? '');
  const number = random.chance(0.5) ? index : `${index % 100}.${Math.floor(index / 100)}`;
  return `${draw(FIRST_NAMES)}.${draw(LAST_NAMES)}${number}@${domain}`;
}

function drawSource(random: SeededRandom): Source | null {
  const index = drawByWeight(Object.values(ORIGINS), random);
  return sourceOf(Object.keys(ORIGINS)[index] ?? '');
}

function sourceOf(query: string): Source | null {
  return readSource(new URLSearchParams(query), '');
}

function drawByWeight(weights: readonly number[], random: SeededRandom): number {
  let left = random.between(
    0,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  return weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
}

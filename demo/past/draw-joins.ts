import * as made from '../../bench/members/fill-line.ts';
import { type SeededRandom, seedRandom } from '../../brand/art/seeded-random.ts';
import { DAY_MS, MINUTE_MS } from '../../server/durations.ts';
import { SOURCELESS, type Source } from '../../server/line/sources/source-rules.ts';

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

const CROWDS = [
  { day: 0, size: 9 },
  { day: 1, size: 4 },
  { day: 2, size: 2 },
  { day: 17, size: 5 },
  { day: 18, size: 2.5 },
  { day: 31, size: 3 },
  { day: 38, size: 1.8 },
];

type Origin = { readonly weight: number; readonly source: Partial<Source> | null };

const ORIGINS: readonly Origin[] = [
  { weight: 26, source: null },
  {
    weight: 22,
    source: {
      utm_source: 'instagram',
      utm_medium: 'social',
      utm_campaign: 'unseen',
      referring_host: 'l.instagram.com',
    },
  },
  { weight: 12, source: { utm_source: 'tiktok', utm_medium: 'social', utm_campaign: 'unseen' } },
  {
    weight: 9,
    source: { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'november drop' },
  },
  { weight: 8, source: { referring_host: 'www.google.com' } },
  { weight: 6, source: { referring_host: 'www.youtube.com' } },
  { weight: 5, source: { referring_host: 'www.reddit.com' } },
];

const CHANNELS = ['copy', 'share', 'copy', 'mail', ''] as const;

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
      source: inviter === null ? drawSource(random) : drawInvitation(random),
      inviter,
    };
  });
}

function drawTimes(members: number, random: SeededRandom): number[] {
  const sizes = Array.from({ length: HISTORY_DAYS }, (_, day) => {
    const crowd = CROWDS.find((one) => one.day === day)?.size ?? 0;
    return crowd + 0.6 + 1.4 * Math.exp(-day / 9) + random.between(0, 0.25);
  });
  const drawTime = (): number => {
    const day = drawByWeight(sizes, random);
    const agoMs = Math.floor((HISTORY_DAYS - day - random.between(0, 1)) * DAY_MS);
    const hour = new Date(Date.now() - agoMs).getHours();
    return random.chance(HOURS[hour] ?? 1) && agoMs > LAST_MS ? agoMs : drawTime();
  };
  return Array.from({ length: members }, drawTime).toSorted((one, other) => other - one);
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
  const index = drawByWeight(
    ORIGINS.map(({ weight }) => weight),
    random,
  );
  const source = ORIGINS[index]?.source ?? null;
  return source && { ...SOURCELESS, ...source };
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

function drawInvitation(random: SeededRandom): Source | null {
  const via = random.pick(CHANNELS);
  return via === '' ? null : { ...SOURCELESS, via };
}

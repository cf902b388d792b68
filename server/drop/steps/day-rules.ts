import type { Timeline } from '../../../contract/operator/timeline.ts';
import { countOf } from '../../changes/count-words.ts';
import { MINUTE_MS } from '../../durations.ts';
import {
  awakeFrom,
  isQuiet,
  type OfferTerms,
  openWallClock,
  timesFrom,
} from '../offers/offer-rules.ts';

/** The site does not know where members live. */
const CITIES: Readonly<Record<string, string>> = {
  'Los Angeles': 'America/Los_Angeles',
  'New York': 'America/New_York',
  London: 'Europe/London',
  Berlin: 'Europe/Berlin',
  Tokyo: 'Asia/Tokyo',
};
const NIGHT = { quiet_from: '22:00', quiet_until: '08:00' } as const;
/** Offsets of time zones are multiples of a quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;

type Masks = { readonly available: number; readonly following: number };
type Wave = {
  readonly from: Date;
  readonly until: Date;
  readonly remindAt: Date;
  readonly masks: number;
};

/** Half of each wave accept and the others say nothing, until no mask or no member is left. */
function planWaves(begin: Date, { available, following }: Masks, terms: OfferTerms): Wave[] {
  const waves: Wave[] = [];
  let from = awakeFrom(begin, terms);
  let left = following;
  for (let masks = Math.min(available, left); masks > 0; masks = Math.min(masks >> 1, left)) {
    const { expires_at: until, remind_at: remindAt } = timesFrom(from, terms);
    waves.push({ from, until, remindAt, masks });
    left -= masks;
    from = until;
  }
  return waves;
}

export type Day = { readonly sentences: readonly string[]; readonly timeline: Timeline };

export function planDay(begin: Date, masks: Masks, terms: OfferTerms): Day | null {
  const waves = planWaves(begin, masks, terms);
  const [first, last] = [waves[0], waves.at(-1)];
  if (first === undefined || last === undefined) return null;
  const { time_zone: timeZone } = terms;
  const { format } = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, weekday: 'short', day: 'numeric', month: 'short' },
    ...{ hour: '2-digit', minute: '2-digit' },
  });
  const span = { from: first.from.getTime(), until: last.until.getTime() };
  return {
    sentences: [
      `If half of each wave accept and nobody declines, in the time of ${timeZone}:`,
      ...waves.map(
        ({ from, until, remindAt, masks: count }) =>
          `${format(from)}: ${countOf(count, 'mask is', 'masks are')} offered, until ` +
          `${format(until)}. The reminder is due ${format(remindAt)}.`,
      ),
      `When the first offers go out it is night in ${listSleeping(first.from)}; when they end, ` +
        `in ${listSleeping(first.until)}. Where members live is not known.`,
    ],
    timeline: {
      from: first.from.toISOString(),
      until: last.until.toISOString(),
      rows: [
        ...waves.map(({ from, until, masks: count }, index) => ({
          label: `Wave ${index + 1}`,
          is_night: false,
          spans: [spanOf(from.getTime(), until.getTime(), String(count))],
        })),
        ...Object.entries(CITIES).map(([city, zone]) => ({
          label: `Night in ${city}`,
          is_night: true,
          spans: nightsIn(zone, span),
        })),
      ],
    },
  };
}

function listSleeping(at: Date): string {
  const asleep = Object.entries(CITIES).filter(([, time_zone]) =>
    isQuiet(at, { time_zone, ...NIGHT }),
  );
  return asleep.length === 0 ? 'none of these cities' : asleep.map(([city]) => city).join(', ');
}

function nightsIn(time_zone: string, { from, until }: { from: number; until: number }) {
  const clock = openWallClock(time_zone);
  const isNight = (at: number) => isQuiet(new Date(at), { time_zone, ...NIGHT }, clock);
  const nights: { from: number; until: number }[] = [];
  for (let at = from - (from % QUARTER_MS); at < until; at += QUARTER_MS) {
    const last = nights.at(-1);
    const end = Math.min(at + QUARTER_MS, until);
    if (!isNight(at)) continue;
    if (last?.until === at) last.until = end;
    else nights.push({ from: Math.max(at, from), until: end });
  }
  return nights.map((night) => spanOf(night.from, night.until));
}

function spanOf(from: number, until: number, text = '') {
  return { from: new Date(from).toISOString(), until: new Date(until).toISOString(), text };
}

import { countOf } from '../../changes/count-words.ts';
import { awakeFrom, isQuiet, type OfferTerms, timesFrom } from '../offers/offer-rules.ts';

/** The site does not know where members live. */
const CITIES: Readonly<Record<string, string>> = {
  'Los Angeles': 'America/Los_Angeles',
  'New York': 'America/New_York',
  London: 'Europe/London',
  Berlin: 'Europe/Berlin',
  Tokyo: 'Asia/Tokyo',
};
const NIGHT = { quiet_from: '22:00', quiet_until: '08:00' } as const;

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

/** Sentences about the waves of a start; none without masks, or without anybody to offer them. */
export function planDays(begin: Date, masks: Masks, terms: OfferTerms): string[] {
  const waves = planWaves(begin, masks, terms);
  const [first, last] = [waves[0], waves.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { time_zone: timeZone } = terms;
  const { format } = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  return [
    `If half of each wave accept and nobody declines, in the time of ${timeZone}:`,
    ...waves.map(
      ({ from, until, remindAt, masks: count }) =>
        `${format(from)}: ${countOf(count, 'mask is', 'masks are')} offered, until ` +
        `${format(until)}. The reminder is due ${format(remindAt)}.`,
    ),
    `When the first offers go out it is night in ${listSleeping(first.from)}; when they end, ` +
      `in ${listSleeping(first.until)}. Where members live is not known.`,
  ];
}

function listSleeping(at: Date): string {
  const asleep = Object.entries(CITIES).filter(([, time_zone]) =>
    isQuiet(at, { time_zone, ...NIGHT }),
  );
  return asleep.length === 0 ? 'none of these cities' : asleep.map(([city]) => city).join(', ');
}

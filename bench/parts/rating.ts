/** What it costs to rate joins by fraud signals: servers with and without them, in turns. */
import { openProduct } from '../checkout.ts';
import { type Measured, measure, medianOf } from '../load/closed-loop.ts';
import { type Part, TARGET_IN_FLIGHT } from '../part.ts';
import type { Engine } from '../places.ts';
import { orDash, table, whole } from '../report/markdown.ts';
import { median } from '../statistics.ts';
import { RESULTS } from './speed.ts';

const OPTIONS = { members: 100_000, rounds: 15, seconds: 2 };
const LOAD = { kind: 'visitor-join', inFlight: TARGET_IN_FLIGHT, warmUpSeconds: 1.5 } as const;
const PRELOADED = new URL('./without-rating.ts', import.meta.url).href;
/** Share of the speed without rating that is left with it. */
const LEAST_SHARE = 0.95;

type Pair = { readonly name: string; readonly rated: Measured[]; readonly unrated: Measured[] };

export const ratingPart = (engine: Engine): Part<typeof OPTIONS, readonly Pair[]> => ({
  name: `rating-${engine}`,
  writes: RESULTS,
  options: OPTIONS,
  async measure({ options: { members, rounds, seconds }, checkouts, newPlace, log }) {
    const pairs: Pair[] = checkouts.map(({ name }) => ({ name, rated: [], unrated: [] }));
    const ways = [];
    for (const [index, checkout] of checkouts.entries())
      for (const way of ['rated', 'unrated'] as const) {
        const settings = {
          TRUST_PROXY: '127.0.0.1',
          // Mails of one round would be sent in the next one, which is another server's.
          MAIL_RATE: '0.1',
          ...(way === 'unrated' && { NODE_OPTIONS: `--import=${PRELOADED}` }),
        };
        const place = await newPlace(engine);
        const server = await openProduct(checkout, place, { members, settings });
        ways.push({ ...server, runs: pairs[index]?.[way] ?? [] });
      }
    // The first round does not count.
    for (let round = 0; round <= rounds; round += 1)
      for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
        const measured = await measure(way, { ...LOAD, seconds });
        if (round > 0) way.runs.push(measured);
      }
    for (const { stop } of ways) await stop();
    log('joins measured');
    return pairs;
  },
  targets: ([own]) =>
    own === undefined
      ? []
      : [
          {
            what: `${engine}: processor time of a join without fraud signals, of that with them`,
            atLeast: LEAST_SHARE,
            measured: median(sharesOf(own, costOf)),
          },
        ],
  describe(pairs, { members, rounds, seconds }) {
    const rows = pairs.flatMap((pair) => {
      const shares = (of: (share: Measured) => number) => {
        const all = sharesOf(pair, of).toSorted((a, b) => a - b);
        const [middle, least, most] = [median(all), all[0] ?? 0, all.at(-1) ?? 0];
        return `${middle.toFixed(3)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
      };
      return (['rated', 'unrated'] as const).map((way) => {
        const { perSecond, serverUs, databaseUs } = medianOf(pair[way]);
        const costs = [serverUs, databaseUs].map((us) => orDash(us, whole));
        const beside = way === 'rated' ? ['', ''] : [shares(costOf), shares(timeOf)];
        return [`${pair.name}, ${way}`, whole(perSecond), ...costs, ...beside];
      });
    });
    const head = ['joins', 'a second', 'server µs', 'database µs'];
    return `## What fraud signals cost a join, ${engine}

Joins of visitors behind a proxy, from networks, browsers and names like people's, half of them by
invite, in a line of ${whole(members)} members, ${LOAD.inFlight} in flight: ${rounds} rounds of
${seconds} s, in turns with a server that rates no joins and stores no traces. Shares are medians of
the rounds, with the least and the largest: processor time, and time a join.

${table([...head, 'processor time of rated', 'time of rated'], rows)}`;
  },
});

const costOf = ({ serverUs, databaseUs }: Measured) => (serverUs ?? Number.NaN) + (databaseUs ?? 0);
const timeOf = ({ perSecond }: Measured) => 1 / perSecond;

function sharesOf({ rated, unrated }: Pair, of: (measured: Measured) => number): number[] {
  return rated.map((each, round) => of(unrated[round] as Measured) / of(each));
}

/** SIGTERM while visitors send requests on persistent connections. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { SeededRandom } from '../../../brand/art/seeded-random.ts';
import { drawFromSeed } from '../../support/draw-from-seed.ts';
import { createMigratedPlace, type DatabasePlace, defaultEngine } from '../../support/engines.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';
import { isLong } from '../../support/test-form.ts';
import { inspect, settingsOf } from '../backup-commands.ts';
import { recordFault } from '../fault-record.ts';
import { untilReady } from '../machine.ts';
import { type Break, RawConnection } from './raw-connection.ts';
import { type Member, openVisits, type Visit } from './visits.ts';

const TRIALS = isLong ? 20 : 1;
const VISITORS = 64;
/** Every second visitor pauses between requests, so that the signal also comes in a pause. */
const THINK_MS = 200;
const STOPPED_WITHIN_MS = 10_000;

let place: DatabasePlace;
let server: ServerProcess;
afterEach(async () => {
  await server.kill();
  await place.remove();
});

type Outcome = {
  readonly statuses: Map<number, number>;
  /** With `connection: close`: only a server that is stopping sends it. */
  closingAnswers: number;
  readonly breaks: Record<Exclude<Break, 'none' | 'unsent'>, number>;
};

/** Each visitor sends requests until the server closes the connection; resolves after the last. */
async function keepAsking(
  port: number,
  members: Member[],
  outcome: Outcome,
  random: SeededRandom,
): Promise<void> {
  const visits = openVisits(members);
  const asked = new Map<RawConnection, Visit>();
  await Promise.all(
    Array.from({ length: VISITORS }, async (_, visitor) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const connection = new RawConnection({
        port,
        listener: {
          async answered({ status, body }, self) {
            outcome.statuses.set(status, (outcome.statuses.get(status) ?? 0) + 1);
            if (self.isClosing) outcome.closingAnswers += 1;
            if (asked.get(self) === 'join' && status === 201)
              members.push(JSON.parse(body) as Member);
            if (visitor % 2 === 0) await delay(random.between(0, THINK_MS));
            // Reads what arrived meanwhile, so as not to send on a connection that was closed.
            await new Promise(setImmediate);
            if (!self.isClosing) ask();
          },
          closed(_self, end) {
            if (end === 'unanswered' || end === 'half') outcome.breaks[end] += 1;
            resolve();
          },
        },
      });
      function ask(): void {
        const { visit, request } = visits.next();
        asked.set(connection, visit);
        connection.send(request);
      }
      ask();
      await promise;
    }),
  );
}

test.each(defaultEngine)(
  `shut down under load, a server on %s answers every request and loses no join (${TRIALS} trials)`,
  async (engine) => {
    place = await createMigratedPlace(engine);
    const random = drawFromSeed();
    const members: Member[] = [];
    const outcome: Outcome = {
      statuses: new Map(),
      closingAnswers: 0,
      breaks: { unanswered: 0, half: 0 },
    };
    const readyMs: number[] = [];
    const stopMs: number[] = [];
    server = await startServer({ ...settingsOf(place), LIMITS: 'off' });
    for (let trial = 1; trial <= TRIALS; trial += 1) {
      const before = members.length;
      const asking = keepAsking(Number(new URL(server.url).port), members, outcome, random);
      while (members.length < before + VISITORS) await delay(10);
      await delay(random.between(0, 300));
      const since = performance.now();
      expect(await server.stop(), server.output()).toBe(0);
      stopMs.push(performance.now() - since);
      await asking;
      server = await startServer({ ...settingsOf(place), LIMITS: 'off' });
      await untilReady(server.url);
      readyMs.push(performance.now() - since);
    }
    expect(await server.stop()).toBe(0);

    const { positions, differences } = await inspect(place);
    const lost = members.filter(({ id }) => !positions.has(id)).length;
    const duplicated = positions.size - members.length + lost;
    const fault = `Stopped under load, ${engine}`;
    recordFault({ fault, trials: TRIALS, acknowledged: members.length, lost, duplicated, readyMs });
    expect({ lost, duplicated, differences, breaks: outcome.breaks }).toEqual({
      lost: 0,
      duplicated: 0,
      differences: [],
      breaks: { unanswered: 0, half: 0 },
    });
    expect(
      [...outcome.statuses.keys()].filter((status) => ![200, 201, 503].includes(status)),
    ).toEqual([]);
    expect(
      outcome.closingAnswers,
      'requests answered while the server was stopping',
    ).toBeGreaterThan(0);
    if (isLong) expect(Math.max(...stopMs)).toBeLessThan(STOPPED_WITHIN_MS);
  },
);

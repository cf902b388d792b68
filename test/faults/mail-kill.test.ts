import { describe, expect, test } from 'vitest';
import { engines } from '../support/engines.ts';
import { KILL_POINTS, killWhileMailing } from './mail-kill.ts';

const isFull = process.env.FAULTS === 'full';
/** `npm run faults` goes round all points until there are 20 trials. */
const FULL = Array.from({ length: 20 }, (_, index) => KILL_POINTS[index % KILL_POINTS.length] ?? 'committed');
/** As many as Vitest runs at once: they wait more than they work. */
const SHORT = { embedded: ['committed', 'data', 'received'], postgres: ['committed', 'received'] } as const;

describe.concurrent.each(engines)('a server on %s that is killed between a commit and "250 OK"', (engine) => {
  test.each(isFull ? FULL : SHORT[engine])(
    'at the point "%s" loses no mail and repeats none without saying so',
    async (point) => {
      const { acknowledged, missing, repeated, unexplained } = await killWhileMailing(engine, point);
      if (isFull)
        console.log(`${engine}, ${point}: ${acknowledged} acknowledged, ${missing} missing, ${repeated} repeated`);
      expect(acknowledged).toBeGreaterThan(0);
      expect({ missing, unexplained }).toEqual({ missing: 0, unexplained: 0 });
    },
  );
});

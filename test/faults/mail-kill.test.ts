import { describe, expect, test } from 'vitest';
import { engines } from '../support/engines.ts';
import { KILL_POINTS, killWhileMailing } from './mail-kill.ts';

/** Each point once; `npm run faults` goes round until there are 20. */
const TRIALS = process.env.FAULTS === 'full' ? 20 : KILL_POINTS.length;
const trials = Array.from({ length: TRIALS }, (_, index) => KILL_POINTS[index % KILL_POINTS.length] ?? 'committed');

// At once, as most of the time passes in waiting until a dead server is taken for dead.
describe.concurrent.each(engines)('a server on %s that is killed between a commit and "250 OK"', (engine) => {
  test.each(trials)('at the point "%s" loses no mail and repeats none without saying so', async (point) => {
    const { acknowledged, missing, repeated, unexplained } = await killWhileMailing(engine, point);
    if (process.env.FAULTS === 'full')
      console.log(`${engine}, ${point}: ${acknowledged} acknowledged, ${missing} missing, ${repeated} repeated`);
    expect(acknowledged).toBeGreaterThan(0);
    expect({ missing, unexplained }).toEqual({ missing: 0, unexplained: 0 });
  });
});

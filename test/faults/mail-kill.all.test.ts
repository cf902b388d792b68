import { describe, expect, test } from 'vitest';
import { oneEngine } from '../support/engines.ts';
import { isLong } from '../support/test-form.ts';
import { KILL_POINTS, killWhileMailing, killWhileUnsettled } from './mail-kill.ts';

/** `npm run faults` cycles through all points for 20 trials. */
const FULL = Array.from(
  { length: 20 },
  (_, index) => KILL_POINTS[index % KILL_POINTS.length] ?? 'committed',
);
/** Before any conversation with the mail server; the test below kills after the mail. */
const SHORT = ['committed'] as const;

/** Each of the five connections repeats two at the most. */
const MAX_REPEATED = 10;

describe.concurrent.each(oneEngine)(
  'a server on %s killed between a join\'s commit and "250 OK"',
  (engine) => {
    test.each(isLong ? FULL : SHORT)(
      'at "%s" loses no mail, and repeats one only with the same Message-ID',
      async (point) => {
        const { acknowledged, missing, repeated, unexplained } = await killWhileMailing(
          engine,
          point,
        );
        if (isLong)
          console.log(
            `${engine}, ${point}: ${acknowledged} acknowledged, ` +
              `${missing} missing, ${repeated} repeated`,
          );
        expect(acknowledged).toBeGreaterThan(0);
        expect({ missing, unexplained }).toEqual({ missing: 0, unexplained: 0 });
      },
    );
  },
);

test('a server killed before anything is settled repeats two mails a connection', async () => {
  const { missing, repeated, unexplained } = await killWhileUnsettled();
  expect({ missing, unexplained }).toEqual({ missing: 0, unexplained: 0 });
  expect(repeated).toBeGreaterThan(0);
  expect(repeated).toBeLessThanOrEqual(MAX_REPEATED);
});

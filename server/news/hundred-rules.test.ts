import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from './day-rules.ts';
import { decideHundredNews } from './hundred-rules.ts';

const noon = new Date('2030-01-01T12:00:00Z');
const change = { memberId: 'm', isInside: true, isNew: false, toldAt: null };

test('who enters or leaves is told at once when nothing was told within a day', () => {
  expect(decideHundredNews(change, noon)).toBe('mail');
  expect(decideHundredNews({ ...change, isInside: false }, noon)).toBe('mail');
  expect(decideHundredNews({ ...change, toldAt: new Date(noon.getTime() - DAY_MS) }, noon)).toBe('mail');
  expect(decideHundredNews({ ...change, toldAt: new Date(noon.getTime() - DAY_MS + 1) }, noon)).toBe('wait');
});

test('who joined straight into the hundred knows it', () => {
  expect(decideHundredNews({ ...change, isNew: true }, noon)).toBe('known');
});

test('however a place moves, mails are a day apart and take turns, and who stays for a day knows where they are', () => {
  const moves = fc.array(fc.record({ isInside: fc.boolean(), minutes: fc.nat(2_000) }), { maxLength: 80 });
  fc.assert(
    fc.property(moves, fc.boolean(), (history, isFirstInside) => {
      let [now, believed, toldAt] = [noon.getTime(), false, null as number | null];
      let wasMailed: boolean | null = null;
      function look(isInside: boolean, isNew: boolean): void {
        if (isInside === believed) return;
        const told = toldAt === null ? null : new Date(toldAt);
        const decision = decideHundredNews({ memberId: 'm', isInside, isNew, toldAt: told }, new Date(now));
        if (decision === 'wait') return;
        if (decision === 'mail') {
          if (toldAt !== null) expect(now - toldAt).toBeGreaterThanOrEqual(DAY_MS);
          expect(isInside).not.toBe(wasMailed);
          wasMailed = isInside;
        }
        [believed, toldAt] = [isInside, now];
      }
      look(isFirstInside, true);
      for (const { isInside, minutes } of history) {
        now += minutes * 60_000;
        look(isInside, false);
        if (toldAt === null || now - toldAt >= DAY_MS) expect(believed).toBe(isInside);
      }
    }),
  );
});

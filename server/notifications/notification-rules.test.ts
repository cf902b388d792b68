import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepFinds } from '../../test/support/keep-finds.ts';
import { DAY_MS } from '../durations.ts';
import {
  type CreditDecision,
  decideCreditMails,
  decideTop100Mail,
  type LastNotified,
} from './notification-rules.ts';

const tiers = [3, 5, 10].map((requiredReferrals) => ({
  requiredReferrals,
  reward: `${requiredReferrals} friends`,
  kind: 'plain' as const,
}));
const neverNotified: LastNotified = { referralCount: 0, friendsAt: null, tierLevel: 0 };
const noon = new Date('2030-01-01T12:00:00Z');
const hoursLater = (hours: number) => new Date(noon.getTime() + hours * 3_600_000);

const decide = (referralCount: number, lastNotified: Partial<LastNotified> = {}, now = noon) =>
  decideCreditMails(tiers, {
    referralCount,
    lastNotified: { ...neverNotified, ...lastNotified },
    now,
  });

test('the first friend is mailed at once', () => {
  expect(decide(1)).toEqual({
    newFriends: 1,
    tierLevel: null,
    lastNotified: { referralCount: 1, friendsAt: noon, tierLevel: 0 },
    dueAt: null,
  });
});

test('friends of the following 24 hours wait and share one mail', () => {
  const lastNotified = { referralCount: 1, friendsAt: noon };
  expect(decide(2, lastNotified, hoursLater(23.9))).toEqual({
    newFriends: null,
    tierLevel: null,
    lastNotified: { ...neverNotified, ...lastNotified },
    dueAt: hoursLater(24),
  });
  expect(decide(4, lastNotified, hoursLater(24))).toMatchObject({ newFriends: 3, dueAt: null });
});

test('a tier does not wait, and of several only the highest is mailed', () => {
  const lastNotified = { referralCount: 1, friendsAt: noon };
  expect(decide(5, lastNotified)).toMatchObject({
    newFriends: null,
    tierLevel: 2,
    lastNotified: { tierLevel: 2 },
  });
});

test('a tier that was lost and reached again is not mailed again', () => {
  expect(decide(3, { referralCount: 2, tierLevel: 1 })).toMatchObject({
    tierLevel: null,
    lastNotified: { tierLevel: 1 },
  });
});

test('credits older than the first mail cause no mail about friends or tiers', () => {
  expect(decide(6, { referralCount: 5 })).toMatchObject({
    newFriends: 1,
    tierLevel: null,
    lastNotified: { tierLevel: 2 },
  });
});

test('a friend who left causes no mail, and the next one counts', () => {
  const left = decide(4, { referralCount: 5, friendsAt: hoursLater(-48) });
  expect(left).toMatchObject({ newFriends: null, dueAt: null, lastNotified: { referralCount: 4 } });
  expect(decide(5, left.lastNotified)).toMatchObject({ newFriends: 1 });
});

/** Credits come or go and time passes; each step ends with a decision. */
const histories = fc.array(
  fc.record({
    credits: fc.integer({ min: -3, max: 4 }),
    hours: fc.double({ min: 0, max: 40, noNaN: true }),
  }),
  { maxLength: 60 },
);

type Step = { readonly now: Date; readonly count: number; readonly decision: CreditDecision };

function replay(history: readonly { credits: number; hours: number }[]): Step[] {
  let [count, lastNotified, now] = [0, neverNotified, noon];
  return history.map(({ credits, hours }) => {
    now = new Date(now.getTime() + hours * 3_600_000);
    count = Math.max(0, count + credits);
    const decision = decide(count, lastNotified, now);
    lastNotified = decision.lastNotified;
    return { now, count, decision };
  });
}

test('in any history mails about friends are at least a day apart', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const mailedAt = replay(history).flatMap(({ now, decision }) =>
        decision.newFriends === null ? [] : [now.getTime()],
      );
      for (const [index, at] of mailedAt.slice(1).entries())
        expect(at - (mailedAt[index] ?? 0)).toBeGreaterThanOrEqual(DAY_MS);
    }),
  );
});

test('in any history levels are mailed at most once, in rising order, up to the highest', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const levels = [0];
      for (const { count, decision } of replay(history)) {
        if (decision.tierLevel !== null) {
          expect(decision.tierLevel).toBeGreaterThan(levels.at(-1) ?? 0);
          levels.push(decision.tierLevel);
        }
        expect(levels.at(-1)).toBeGreaterThanOrEqual(
          tiers.filter((tier) => tier.requiredReferrals <= count).length,
        );
      }
    }),
  );
});

test('in any history every friend is mailed once or due at a known time; none is invented', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const isGrowing = history.every(({ credits }) => credits >= 0);
      let mailed = 0;
      for (const { count, now, decision } of replay(history)) {
        mailed += decision.newFriends ?? 0;
        if (decision.newFriends !== null) expect(decision.newFriends).toBeGreaterThan(0);
        expect(decision.lastNotified.referralCount).toBeLessThanOrEqual(count);
        expect(decision.dueAt !== null).toBe(decision.lastNotified.referralCount < count);
        if (decision.dueAt !== null)
          expect(decision.dueAt.getTime()).toBeGreaterThan(now.getTime());
        if (isGrowing) expect(mailed).toBe(decision.lastNotified.referralCount);
      }
    }),
    keepFinds(),
  );
});

const change = {
  memberId: 'm',
  isInside: true,
  isNew: false,
  lastNotifiedAt: null,
  dueAt: null,
};

test('entering or leaving the top 100 is mailed at once if no mail was sent within a day', () => {
  expect(decideTop100Mail(change, noon)).toBe('mail');
  expect(decideTop100Mail({ ...change, isInside: false }, noon)).toBe('mail');
  expect(
    decideTop100Mail({ ...change, lastNotifiedAt: new Date(noon.getTime() - DAY_MS) }, noon),
  ).toBe('mail');
  expect(
    decideTop100Mail({ ...change, lastNotifiedAt: new Date(noon.getTime() - DAY_MS + 1) }, noon),
  ).toBe('wait');
});

test('a member who joins straight into the top 100 needs no mail', () => {
  expect(decideTop100Mail({ ...change, isNew: true }, noon)).toBe('known');
});

test('in any history mails are a day apart and alternate; a side kept for a day is known', () => {
  const moves = fc.array(fc.record({ isInside: fc.boolean(), minutes: fc.nat(2_000) }), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(moves, fc.boolean(), (history, isFirstInside) => {
      let [now, knownInside, notifiedAt] = [noon.getTime(), false, null as number | null];
      let wasMailed: boolean | null = null;
      function moveTo(isInside: boolean, isNew: boolean): void {
        if (isInside === knownInside) return;
        const last = notifiedAt === null ? null : new Date(notifiedAt);
        const decision = decideTop100Mail(
          { memberId: 'm', isInside, isNew, lastNotifiedAt: last, dueAt: null },
          new Date(now),
        );
        if (decision === 'wait') return;
        if (decision === 'mail') {
          if (notifiedAt !== null) expect(now - notifiedAt).toBeGreaterThanOrEqual(DAY_MS);
          expect(isInside).not.toBe(wasMailed);
          wasMailed = isInside;
        }
        [knownInside, notifiedAt] = [isInside, now];
      }
      moveTo(isFirstInside, true);
      for (const { isInside, minutes } of history) {
        now += minutes * 60_000;
        moveTo(isInside, false);
        if (notifiedAt === null || now - notifiedAt >= DAY_MS) expect(knownInside).toBe(isInside);
      }
    }),
  );
});

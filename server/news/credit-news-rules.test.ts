import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CreditNews, decideCreditNews, type ToldCredits } from './credit-news-rules.ts';
import { DAY_MS } from './day-rules.ts';

const tiers = [3, 5, 10].map((requiredReferrals) => ({ requiredReferrals, reward: `${requiredReferrals} friends` }));
const nobodyTold: ToldCredits = { referralCount: 0, friendsAt: null, tierLevel: 0 };
const noon = new Date('2030-01-01T12:00:00Z');
const hoursLater = (hours: number) => new Date(noon.getTime() + hours * 3_600_000);

const decide = (referralCount: number, told: Partial<ToldCredits> = {}, now = noon) =>
  decideCreditNews(tiers, { referralCount, told: { ...nobodyTold, ...told }, now });

test('the first friend is told at once', () => {
  expect(decide(1)).toEqual({
    newFriends: 1,
    tierLevel: null,
    told: { referralCount: 1, friendsAt: noon, tierLevel: 0 },
    lookAgainAt: null,
  });
});

test('friends of the same day wait until it is over, together', () => {
  const told = { referralCount: 1, friendsAt: noon };
  expect(decide(2, told, hoursLater(23.9))).toEqual({
    newFriends: null,
    tierLevel: null,
    told: { ...nobodyTold, ...told },
    lookAgainAt: hoursLater(24),
  });
  expect(decide(4, told, hoursLater(24))).toMatchObject({ newFriends: 3, lookAgainAt: null });
});

test('a tier does not wait, and of several only the highest is told', () => {
  const told = { referralCount: 1, friendsAt: noon };
  expect(decide(5, told)).toMatchObject({ newFriends: null, tierLevel: 2, told: { tierLevel: 2 } });
});

test('a tier that was lost and is reached again is not told again', () => {
  expect(decide(3, { referralCount: 2, tierLevel: 1 })).toMatchObject({ tierLevel: null, told: { tierLevel: 1 } });
});

test('who was credited before there were mails is told neither of those friends nor of their tiers', () => {
  expect(decide(6, { referralCount: 5 })).toMatchObject({ newFriends: 1, tierLevel: null, told: { tierLevel: 2 } });
});

test('a friend who left is not told of, and the next one counts', () => {
  const left = decide(4, { referralCount: 5, friendsAt: hoursLater(-48) });
  expect(left).toMatchObject({ newFriends: null, lookAgainAt: null, told: { referralCount: 4 } });
  expect(decide(5, left.told)).toMatchObject({ newFriends: 1 });
});

/** Credits come (or go) and time passes; a look follows each, as the server's every minute. */
const histories = fc.array(
  fc.record({ credits: fc.integer({ min: -3, max: 4 }), hours: fc.double({ min: 0, max: 40, noNaN: true }) }),
  { maxLength: 60 },
);

type Step = { readonly now: Date; readonly count: number; readonly news: CreditNews };

function live(history: readonly { credits: number; hours: number }[]): Step[] {
  let [count, told, now] = [0, nobodyTold, noon];
  return history.map(({ credits, hours }) => {
    now = new Date(now.getTime() + hours * 3_600_000);
    count = Math.max(0, count + credits);
    const news = decide(count, told, now);
    told = news.told;
    return { now, count, news };
  });
}

test('in any history mails about friends are a day apart at least', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const mailedAt = live(history).flatMap(({ now, news }) => (news.newFriends === null ? [] : [now.getTime()]));
      for (const [index, at] of mailedAt.slice(1).entries())
        expect(at - (mailedAt[index] ?? 0)).toBeGreaterThanOrEqual(DAY_MS);
    }),
  );
});

test('in any history every level is told once at most, in rising order, and none is passed over', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const levels = [0];
      for (const { count, news } of live(history)) {
        if (news.tierLevel !== null) {
          expect(news.tierLevel).toBeGreaterThan(levels.at(-1) ?? 0);
          levels.push(news.tierLevel);
        }
        expect(levels.at(-1)).toBeGreaterThanOrEqual(tiers.filter((tier) => tier.requiredReferrals <= count).length);
      }
    }),
  );
});

test('in any history every friend is told once or waits for a set time, and never more than there are', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const isGrowing = history.every(({ credits }) => credits >= 0);
      let mailed = 0;
      for (const { count, now, news } of live(history)) {
        mailed += news.newFriends ?? 0;
        if (news.newFriends !== null) expect(news.newFriends).toBeGreaterThan(0);
        expect(news.told.referralCount).toBeLessThanOrEqual(count);
        expect(news.lookAgainAt !== null).toBe(news.told.referralCount < count);
        if (news.lookAgainAt !== null) expect(news.lookAgainAt.getTime()).toBeGreaterThan(now.getTime());
        if (isGrowing) expect(mailed).toBe(news.told.referralCount);
      }
    }),
    {
      examples: [
        [
          [
            { credits: 4, hours: 1 },
            { credits: 4, hours: 1 },
            { credits: 0, hours: 25 },
          ],
        ],
      ],
    },
  );
});

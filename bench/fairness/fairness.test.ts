import { describe, expect, test } from 'vitest';
import { describeFriends } from '../../server/fairness/first/first-rules.ts';
import { intervalOf } from './figures.ts';
import { makeLine } from './make-line.ts';
import { findMadeUp } from './operator-model.ts';

test('the share that is shown lies within its interval, which narrows with more friends', () => {
  const [low, high] = intervalOf(3, 10);
  expect([low, high].map((bound) => bound.toFixed(3))).toEqual(['0.108', '0.603']);
  expect(intervalOf(0, 50)[0]).toBe(0);
  expect(intervalOf(300, 1_000)[0]).toBeGreaterThan(low);
});

describe('the model of an operator', () => {
  const friend = { joinedMs: 0, isConfirmed: true, credit: 'given', browser: null } as const;
  function looked(code: string, domains: readonly string[], isOpen: boolean, network = 'one') {
    const friends = Array.from({ length: 10 }, (_, number) => ({
      ...{ ...friend, domain: domains[number % domains.length] ?? '', isOpen },
      ...{ network: network + (network === 'one' ? '' : number), isNearMiss: network === 'one' },
    }));
    return { member: { referral_code: code }, ...describeFriends(friends, 0) };
  }

  test('holds friends at open mailboxes of one domain, or of one noted network', () => {
    const members = [
      looked('OWN', ['attacker.example'], true, 'many'),
      looked('DESK', ['outlook.com', 'proton.me'], true),
      looked('FIRM', ['some-firm.example'], false),
      looked('PARTY', ['gmail.com'], false),
      looked('FRIENDS', ['outlook.com'], true, 'many'),
      looked('MIXED', ['one.example', 'two.example'], true, 'many'),
    ];
    expect(findMadeUp({ members })).toEqual(['OWN', 'DESK']);
  });

  test('opens a hundred members of the list, from its top', () => {
    const members = Array.from({ length: 150 }, (_, number) =>
      looked(`CODE${number}`, ['attacker.example'], true),
    );
    expect(findMadeUp({ members })).toEqual(
      Array.from({ length: 100 }, (_, number) => `CODE${number}`),
    );
  });
});

test('a line has about 2,000 honest people, and no mailbox twice', () => {
  const visits = makeLine('whole-1');
  const honest = visits.filter(({ isHonest }) => isHonest);
  expect(honest.length).toBeGreaterThan(1_900);
  expect(honest.length).toBeLessThan(2_100);
  expect(new Set(visits.map(({ email }) => email)).size).toBe(visits.length);
});

/** The checker of the kills must find every kind of error itself. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { OperatorMember } from '../../contract/operator/members.ts';
import type { Member } from '../../contract/schemas.ts';
import { type History, openHistory } from './history.ts';

let history: History;
let inviter: Member;
let friend: Member;
beforeEach(() => {
  history = openHistory();
  inviter = join('a', null);
  friend = join('b', inviter);
});

function join(id: string, invitedBy: Member | null): Member {
  const member = { id, email: `${id}@example.com`, referral_count: 0 } as Member;
  history.askJoin(invitedBy);
  history.acknowledgeJoin(member, invitedBy);
  return member;
}

function placed(member: Member, position: number, referralCount = 0): OperatorMember {
  return { ...member, position, referral_count: referralCount } as unknown as OperatorMember;
}

describe('a history', () => {
  test('is explained by the line that was told', () => {
    history.beginStatus(inviter)({ ...inviter, referral_count: 1 });
    history.beginStats()({ total_signups: 2, available_masks: 0, top_referrers: [] });
    expect(history.violations).toEqual([]);
    expect(history.judge([placed(inviter, 1, 1), placed(friend, 2)])).toEqual({
      lost: [],
      duplicated: [],
      untrue: [],
    });
  });

  test('names members that are lost, present twice or never acknowledged', () => {
    const stranger = { ...friend, id: 'c', email: 'c@example.com' };
    const again = { ...inviter, id: 'd' };
    const line = [placed(inviter, 1, 1), placed(again, 2), placed(stranger, 3)];
    expect(history.judge(line)).toMatchObject({ lost: ['b'], duplicated: ['d', 'c'] });
  });

  test('names missing positions and wrong counts', () => {
    const { untrue } = history.judge([placed(inviter, 1, 2), placed(friend, 1)]);
    expect(untrue).toEqual(['Nobody is at 2 of 2.', 'a has 2, not 1 friends.']);
  });

  test('names a read that is older than an acknowledged write or an earlier read', () => {
    const seeBeforeThird = history.beginStatus(inviter);
    history.beginStatus(inviter)({ ...inviter, referral_count: 0 });
    history.askJoin(inviter);
    history.beginStatus(inviter)({ ...inviter, referral_count: 2 });
    history.beginStatus(inviter)({ ...inviter, referral_count: 1 });
    history.beginStatus(inviter)({ ...inviter, referral_count: 3 });
    history.beginStatus(friend)(null);
    history.beginStats()({ total_signups: 1, available_masks: 0, top_referrers: [] });
    // Begun before the second friend: either answer is true.
    seeBeforeThird({ ...inviter, referral_count: 1 });
    expect(history.violations).toEqual([
      'The status of a shows 0 after 1 was acknowledged',
      'The status of a shows 1 after 2 was acknowledged',
      'The status of a shows 3, and 2 were asked for',
      'The status of b is not that of an acknowledged member',
      'The total shows 1 after 2 was acknowledged',
    ]);
  });
});

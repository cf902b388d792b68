import { Type } from 'typebox';
import { Change, Expected, Whole } from '../../fields.ts';
import { MemberIds } from '../member-filter.ts';

const Level = Whole(1, 100, 'The tier, from 1');

const OnlyMembers = MemberIds('Only these members');

export const rewardInputs = {
  'ask-rewards': Change('Ask members who reached a tier where to send their reward', {
    tier: Level,
    again: Type.Optional(
      Type.Boolean({ description: 'Also members who were asked before and have not answered' }),
    ),
    member_ids: OnlyMembers,
    expected: Expected('rewards'),
  }),
  'send-reward-codes': Change('Mail each member who reached a tier a code', {
    tier: Level,
    member_ids: OnlyMembers,
    expected: Expected('rewards'),
  }),
  'mark-rewards-sent': Change('Mark the rewards of a tier as sent', {
    tier: Level,
    states: Type.Optional(
      Type.Array(Type.Enum(['owed', 'asked', 'answered'] as const), {
        minItems: 1,
        maxItems: 3,
        description:
          'Rewards in these states; without it answered ones, and owed ones of a tier whose ' +
          'members are not asked',
      }),
    ),
    member_ids: OnlyMembers,
    expected: Expected('rewards'),
  }),
  'set-reward-budget': Change('Set how many rewards of a tier there are, and what one costs', {
    tier: Level,
    units: Whole(0, 1_000_000),
    cents_per_unit: Whole(0, 100_000_000, 'In the smallest unit of your currency'),
  }),
} as const;

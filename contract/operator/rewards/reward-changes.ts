import { Type } from 'typebox';
import { MAX_NAMED_MEMBERS } from '../limits.ts';

const Level = Type.Integer({ minimum: 1, maximum: 100, description: 'The tier, from 1' });

const MemberIds = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    minItems: 1,
    maxItems: MAX_NAMED_MEMBERS,
    description: 'Only these members',
  }),
);
const Expected = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'From the preview: the change is refused if there are more rewards by now',
  }),
);

export const rewardInputs = {
  'ask-rewards': Type.Object({
    tier: Level,
    again: Type.Optional(
      Type.Boolean({ description: 'Also members who were asked before and have not answered' }),
    ),
    member_ids: MemberIds,
    expected: Expected,
  }),
  'send-reward-codes': Type.Object({ tier: Level, member_ids: MemberIds, expected: Expected }),
  'mark-rewards-sent': Type.Object({
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
    member_ids: MemberIds,
    expected: Expected,
  }),
  'set-reward-budget': Type.Object({
    tier: Level,
    units: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    cents_per_unit: Type.Integer({
      minimum: 0,
      maximum: 100_000_000,
      description: 'In the smallest unit of your currency',
    }),
  }),
} as const;

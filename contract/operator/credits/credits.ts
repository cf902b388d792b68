import { type Static, Type } from 'typebox';
import { After, Next, Nullable, Text } from '../../fields.ts';
import { ListedMember } from '../member-list.ts';
import { FriendCounts } from '../member-sheet.ts';

export const CreditQueueRequest = Type.Object({
  rule: Type.Optional(Text(100, 'Only credits that this rule matched')),
  second_look: Type.Optional(
    Type.Enum(['asked'] as const, {
      description: 'Only codes whose member asked for a second look, and has no answer yet',
    }),
  ),
  after: After({ maxLength: 60 }),
});
export type CreditQueueRequest = Static<typeof CreditQueueRequest>;

const RuleCount = Type.Object({
  rule: Type.String({ description: 'Its name' }),
  credits: Type.Integer({ description: 'Held credits that it matched' }),
});
export type RuleCount = Static<typeof RuleCount>;

export const CreditGroup = Type.Object({
  referrer: ListedMember,
  held: Type.Integer({ description: 'Held credits that match the filter' }),
  friends: FriendCounts,
  rules: Type.Array(RuleCount, { description: 'Of all held credits of the code' }),
  since: Type.String({ description: 'Of the oldest held credit, ISO 8601 in UTC' }),
  is_on_hold: Type.Boolean({ description: 'Whether all further credits of the code are held' }),
  second_look_at: Nullable(Type.String(), {
    description: 'When the member asked for a second look; null: they did not, or it is answered',
  }),
});
export type CreditGroup = Static<typeof CreditGroup>;

export const CreditQueue = Type.Object({
  groups: Type.Array(CreditGroup, { description: 'Those with the most held credits first' }),
  next: Next,
});
export type CreditQueue = Static<typeof CreditQueue>;

export const WaitingCredits = Type.Object({
  credits: Type.Integer({ description: 'Held' }),
  codes: Type.Integer(),
  second_looks: Type.Integer({ description: 'Members who asked for one, and have no answer yet' }),
});
export type WaitingCredits = Static<typeof WaitingCredits>;

export const CreditKinds = Type.Object({
  rules: Type.Array(RuleCount, { description: 'Of all held credits' }),
  disposable_list: Type.Object(
    { version: Type.String(), published_at: Type.String({ description: 'A day' }) },
    { description: 'The list of domains with throwaway mailboxes' },
  ),
});
export type CreditKinds = Static<typeof CreditKinds>;

const HeldCredit = Type.Object({
  ...ListedMember.properties,
  score: Type.Integer({ description: 'The points of all rules that matched' }),
  since: Type.String({ description: 'ISO 8601 in UTC' }),
  held_by: Type.Enum(['join', 'sweep', 'operator'] as const, {
    description: 'What held it: the join itself, a later look at it, or an operator',
  }),
  network: Type.Enum(['known', 'trusted', 'gone'] as const, {
    description: 'gone: the trace of the join is deleted after 30 days, or never was',
  }),
});

export const HeldCredits = Type.Object({
  group: CreditGroup,
  credits: Type.Array(HeldCredit),
  next: Next,
});
export type HeldCredits = Static<typeof HeldCredits>;

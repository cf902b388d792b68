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
  on_hold: Type.Optional(
    Type.Enum(['yes'] as const, {
      description: 'Only codes whose further credits are all held, also without a held credit now',
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
  score: Type.Integer({ description: 'The highest one of the held credits' }),
  since: Type.String({
    description: 'Of the oldest held credit, or else of the hold of the code; ISO 8601 in UTC',
  }),
  is_on_hold: Type.Boolean({ description: 'Whether all further credits of the code are held' }),
  second_look_at: Nullable(Type.String(), {
    description: 'When the member asked for a second look; null: they did not, or it is answered',
  }),
});
export type CreditGroup = Static<typeof CreditGroup>;

export const CreditQueue = Type.Object({
  groups: Type.Array(CreditGroup, {
    description: 'Those with the most held credits first; last, codes on hold without any',
  }),
  next: Next,
});
export type CreditQueue = Static<typeof CreditQueue>;

export const WaitingCredits = Type.Object({
  credits: Type.Integer({ description: 'Held' }),
  codes: Type.Integer(),
  codes_on_hold: Type.Integer({ description: 'Codes whose further credits are all held' }),
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
  held_by: Type.Enum(['join', 'operator'] as const, {
    description: 'What held it: the join itself, or an operator',
  }),
  network: Type.Enum(['known', 'trusted', 'gone'] as const, {
    description: 'gone: the trace of the join is deleted after 30 days, or never was',
  }),
});

export const HeldCredits = Type.Object({
  group: CreditGroup,
  credits: Type.Array(HeldCredit),
  hold_at: Type.Integer({ description: 'A friend with at least this score is held' }),
  next: Next,
});
export type HeldCredits = Static<typeof HeldCredits>;

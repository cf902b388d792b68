import { type Static, Type } from 'typebox';
import { Count, Moment, Nullable, NullableText } from '../fields.ts';
import { ListedMember } from './member-list.ts';

export const FirstRequest = Type.Object({
  first: Type.Optional(
    Type.String({
      pattern: '^[1-9]\\d{0,3}$',
      description:
        'How many; at most twice the available masks. Default: 150, or as many as that allows',
    }),
  ),
});
export type FirstRequest = Static<typeof FirstRequest>;

export const PeopleGroup = Type.Object({
  by: Type.Enum(['code', 'domain', 'network'] as const, {
    description: 'What they have in common: who invited them, registrable domain, or network',
  }),
  name: NullableText,
  member_ids: Type.Array(Type.String(), { description: 'At most 200' }),
  members: Count('Who have it in common'),
  confirmed: Count('Of these'),
  networks: Count('Different ones that are known; traces are deleted after 30 days'),
  minutes: Count('Between the first and the last join'),
});
export type PeopleGroup = Static<typeof PeopleGroup>;

export const FirstMember = Type.Object({
  member: ListedMember,
  place: Type.Integer({ description: 'Where a freeze would put them now' }),
  invited_by: Nullable(Type.Object({ id: Type.String(), email: Type.String() }), {
    description: 'Null: nobody, or a member who has left',
  }),
  friends: Type.Object({
    joined: Count('By their code'),
    confirmed: Count('Of these'),
    counting: Count('For how many they count at a freeze'),
    held: Count('Whose credit waits for a decision'),
    refused: Count('Whose credit was refused'),
  }),
  friend_groups: Type.Array(PeopleGroup, {
    description:
      'Friends who share a domain or a network, the most first; of more than 200 friends, of an ' +
      'even sample of 200',
  }),
  stands_with: Type.Array(PeopleGroup, {
    description: 'Others of the first with the same inviter, domain or network, the most first',
  }),
  alike: Count("The largest of both kinds by a network, or a domain that is no provider's"),
  looked: Nullable(
    Type.Object({
      by: Type.String(),
      at: Moment('When somebody last looked at them'),
      change: Type.Integer({ description: 'Its number in the audit log' }),
      friends_since: Count('Friends who joined later'),
    }),
    { description: 'Null: nobody has' },
  ),
});
export type FirstMember = Static<typeof FirstMember>;

export const FirstInLine = Type.Object({
  members: Type.Array(FirstMember, {
    description: 'Those who are most alike first, then by place',
  }),
  looked: Count('Of these'),
});
export type FirstInLine = Static<typeof FirstInLine>;

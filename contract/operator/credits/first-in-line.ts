import { type Static, Type } from 'typebox';
import { Count, Moment, Nullable } from '../../fields.ts';
import { ListedMember } from '../member-list.ts';

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

const SIGNS = [
  'open-mailboxes',
  'one-domain',
  'one-network',
  'one-browser',
  'one-evening',
  'unconfirmed',
  'near-misses',
  'chain',
] as const;
export type Sign = (typeof SIGNS)[number];

const DrawnFriend = Type.Object({
  at: Moment('Of the join'),
  network: Type.Integer({
    description:
      '0: not known; 1: nobody else of these; 2: the largest network, 3: the next, 4: ..',
  }),
  mailbox: Type.Enum(['costly', 'open'] as const),
  state: Type.Enum(['counts', 'unconfirmed', 'held', 'refused'] as const),
});
export type DrawnFriend = Static<typeof DrawnFriend>;

const Suspicion = Type.Object({
  score: Type.Integer({ description: '0 to 100: the points of all signs' }),
  signs: Type.Array(Type.Object({ sign: Type.Enum(SIGNS), points: Type.Integer() }), {
    description: 'Those with points, the weightiest first',
  }),
});
export type Suspicion = Static<typeof Suspicion>;

export const FirstMember = Type.Object({
  member: ListedMember,
  place: Type.Integer({ description: 'Where a freeze would put them now' }),
  friends: Type.Object({
    joined: Count('By their code'),
    confirmed: Count('Of these'),
    counting: Count('Whose credit counts at a freeze'),
    held: Count('Whose credit waits for a decision'),
    refused: Count('Whose credit was refused'),
  }),
  read: Count('Friends on whom the rest is founded: all of them, or an even sample of 200'),
  mailboxes: Type.Object({
    costly: Count('At providers that ask for a phone or money, or at paid hosters'),
    open: Count('At domains that anybody can fill'),
    domains: Type.Array(
      Type.Object({ domain: Type.String(), is_open: Type.Boolean(), friends: Type.Integer() }),
      { description: 'The three with the most friends' },
    ),
  }),
  traces: Type.Object(
    {
      known: Count('Friends with a trace; others joined over 30 days ago, or by an import'),
      networks: Count('Different ones'),
      largest_network: Count('Friends from the one with the most'),
      browsers: Count('Different ones'),
      largest_browser: Count('Friends with the one that most have'),
    },
    { description: 'Where friends joined from; hashes, which are deleted after 30 days' },
  ),
  hours: Type.Object({
    span: Type.Number({ description: 'Hours between the first and the last friend' }),
    busiest: Count('Friends within the fullest three hours'),
  }),
  near_misses: Count('Friends whose join a fraud rule noted, but who were given'),
  chain: Count('Inviters above, one after the other, at mailboxes that anybody can open'),
  suspicion: Suspicion,
  drawn: Type.Array(DrawnFriend, { description: 'The friends read, by the time of joining' }),
  looked: Nullable(
    Type.Object({
      by: Type.String(),
      at: Moment('When somebody last looked at them'),
      change: Type.Integer({ description: 'Its number in the audit log' }),
      friends_since: Count('Friends who joined later'),
    }),
    { description: 'Null: nobody has' },
  ),
  is_on_hold: Type.Boolean({ description: 'Whether all further credits of the code are held' }),
});
export type FirstMember = Static<typeof FirstMember>;

export const FirstInLine = Type.Object({
  members: Type.Array(FirstMember, { description: 'By suspicion, highest first, then by place' }),
  looked: Count('Of these'),
});
export type FirstInLine = Static<typeof FirstInLine>;

import { type Static, Type } from 'typebox';
import { Count, IntegerOrNull, Moment, Nullable, Text, TextOrNull } from '../fields.ts';
import { Amendment, Announcement } from './draw-record.ts';
import { CHECKOUT_STATES, DROP_STATES, RELEASE_REASONS } from './states.ts';
import { SCHEDULED_STEPS } from './step-words.ts';

const Hash = (description: string) =>
  Nullable(Type.String({ description: `SHA-256 in hexadecimal: ${description}` }));

export const DropView = Type.Object({
  number: Type.Integer({ description: 'Of the last drop' }),
  state: Type.Enum(DROP_STATES),
  frozen_at: Nullable(Moment('When the order of the line was kept')),
  list_hash: Hash('of the frozen list'),
  announcement: Nullable(Announcement),
  announcement_hash: Hash('of the announcement: note it before the draw'),
  selected_at: Nullable(Moment('When it was drawn')),
  closed_at: Nullable(Moment('When it ended')),
  paused: Nullable(Type.String(), {
    description: 'Why nobody can join now, in the words of the operator; null while joins go on',
  }),
  now: Type.String({ description: 'By the clock of the server, for a countdown' }),
  next_step: Nullable(
    Type.Object({
      step: Type.Enum(SCHEDULED_STEPS),
      at: Type.String({ description: 'ISO 8601 in UTC' }),
      time_zone: Type.String({ description: 'In which the operator says this time' }),
    }),
    { description: 'Of the schedule, once the operator has published it' },
  ),
});
export type DropView = Static<typeof DropView>;

export const GivenView = Type.Object({
  sizes: Type.Array(
    Type.Object({
      size: Type.String(),
      announced: Type.Integer(),
      given: Type.Integer({ description: 'As announced, or as it was amended last' }),
      open: Count('Offers that can be accepted'),
      passes: Count('Offers that were accepted'),
      declined: Count('Offers that members declined'),
      expired: Count('Offers whose time was over'),
      cancelled: Count('Passes that operators cancelled'),
    }),
  ),
  amendments: Type.Array(Amendment, { description: 'The oldest first' }),
});
export type GivenView = Static<typeof GivenView>;

const Sizes = Type.Array(Text(100), {
  maxItems: 100,
  description: 'The preferred one first',
});
const TakesAny = Type.Boolean({ description: 'Any other size, once those are gone' });

export const SizeWishRequest = Type.Object({ sizes: Sizes, takes_any: TakesAny });

export const SizeWishView = Type.Object({
  sizes: Sizes,
  takes_any: TakesAny,
  choices: Type.Array(Type.String(), { description: 'The names of all sizes' }),
  is_open: Type.Boolean({ description: 'Whether it can be changed: until the line is frozen' }),
});
export type SizeWishView = Static<typeof SizeWishView>;

const Odds = Type.Object({
  kind: Type.Enum(['by-rank', 'draw', 'behind', 'return'] as const, {
    description:
      'The member has a mask by rank, is drawn, is behind those who are drawn, or waits for a ' +
      'mask that nobody takes',
  }),
  percent: Nullable(Type.Integer(), {
    description: '0 and 100 are rounded, but by rank; null for a mask that nobody takes',
  }),
  masks: Type.Integer({ description: 'Masks that are drawn, or that were not taken' }),
  among: Type.Integer({ description: 'Entrants who are drawn, or offers whose time is over' }),
  weight: IntegerOrNull('Half tickets of a member who is drawn; null where tickets weigh the same'),
});
export type Odds = Static<typeof Odds>;

export const Edition = Type.Object({ number: Type.Integer(), masks: Type.Integer() });
export type Edition = Static<typeof Edition>;

const DropWords = Type.Object({ title: Type.String(), text: Type.String() });
export type DropWords = Static<typeof DropWords>;

const EntryView = Type.Object({
  state: Nullable(Type.Enum(CHECKOUT_STATES), { description: 'null: not entered' }),
  why: Nullable(Type.Enum(RELEASE_REASONS), { description: 'Why nothing is held any more' }),
  may_enter: Type.Boolean(),
  until: Moment('When the time to enter is over'),
  price: TextOrNull('What the card holds, such as €99.00'),
});
export type EntryView = Static<typeof EntryView>;

export const DropPlaceView = Type.Object({
  drop: Type.Integer(),
  state: DropView.properties.state,
  position: IntegerOrNull('On the frozen list; null: not on it'),
  place: IntegerOrNull('In the draw order; null before it is drawn'),
  size: TextOrNull('Of those who are chosen'),
  edition: Nullable(Edition, {
    description: 'Number of the mask: the place in the draw; null behind the announced masks',
  }),
  odds: Nullable(Odds, {
    description:
      'Of a mask: from the announcement to the draw, and for those not chosen once the time of ' +
      'an offer is over',
  }),
  can_return: Type.Boolean({
    description: 'Whether a mask that they take may still come to a member who was not chosen',
  }),
  is_mailed: Type.Boolean({ description: 'Whether mail reaches the member' }),
  is_paused: Type.Boolean({ description: 'Whether nobody can join now' }),
  hash: Hash('of the announcement, or of the frozen list before it'),
  words: Nullable(DropWords, {
    description: 'What that means for a member without an offer in it; null while it is open',
  }),
  card_entry: Nullable(EntryView, {
    description: 'Of an entrant who is not drawn, in a drop that is entered by card',
  }),
});
export type DropPlaceView = Static<typeof DropPlaceView>;

export const DropNumber = Type.Object({ number: Type.String({ pattern: '^[1-9]\\d{0,8}$' }) });

import { type Static, Type } from 'typebox';
import { DropView } from '../../drop/drop-views.ts';
import {
  Count,
  IntegerOrNull,
  Nullable,
  NullableText,
  TextOrNull,
  NullableTime as Time,
} from '../../fields.ts';
import { REWARD_STATES } from '../../rewards.ts';
import { ListedOffer } from './listed-offers.ts';
import { offerCounts } from './offers.ts';

export const DropFacts = Type.Object({
  drop: Type.Pick(DropView, [
    'number',
    'state',
    'frozen_at',
    'list_hash',
    'announcement',
    'announcement_hash',
    'selected_at',
    'closed_at',
  ]),
  offering_at: Time,
  members: Count('In line now'),
  entrants: Type.Object({
    entrants: Count('On the frozen list; 0 before'),
    doubted: Count('Entrants with held credits, which do not count'),
    held_credits: Count('How many those are'),
    with_wish: Count('Entrants who named sizes; the others take any'),
    with_losses: Count('Entrants for whom lost drops count'),
    heavier: Count('Entrants who weigh more than one ticket in the draw'),
  }),
  takes_cards: Type.Boolean({
    description: 'Stripe sells the masks: a draw can be entered by card',
  }),
  cards: Nullable(
    Type.Object({
      enter_until: Type.String({ description: 'ISO 8601 in UTC' }),
      entering: Count('Entrants whose checkout is being made or filled in'),
      held: Count('Cards that hold the price, and are not drawn'),
      capturing: Count('Drawn cards that are being charged'),
      releasing: Count('Cards that are being released'),
    }),
    { description: 'Of a drop that is entered by card' },
  ),
  wishes: Type.Array(Type.Object({ size: Type.String(), first: Type.Integer() }), {
    description: 'How many entrants prefer each size',
  }),
  chosen: Count('Entrants who got a size in the draw'),
  following: Count('Entrants in the draw order who have had no offer yet'),
  round: Nullable(
    Type.Object({
      public_at: Type.String({ description: 'ISO 8601 in UTC' }),
      url: Type.String({ description: 'Where a relay of drand answers its signature' }),
    }),
    { description: 'The announced round of quicknet' },
  ),
  terms: Nullable(
    Type.Object({
      minutes: Type.Integer({ description: 'How long an offer stands' }),
      time_zone: Type.String(),
      quiet_from: TextOrNull('Such as 22:00, in the time zone'),
      quiet_until: NullableText,
      pay_hours: Type.Integer({ description: 'How long an accepted pass can be paid' }),
    }),
  ),
  waits_for: Nullable(Type.Enum(['operator', 'clock', 'copy', 'mail'] as const), {
    description:
      'Why no mask is offered: paused by an operator, by a leap of the clock, or as the line may ' +
      'be a copy; the mail server is down',
  }),
  paused_at: Time,
  unmailed: Count('Open offers whose mail has not left, so that their time has not begun'),
  is_quiet: Type.Boolean({ description: 'Nobody is offered a mask at this hour' }),
  others: Type.Enum(['untold', 'being-told', 'told'] as const, {
    description: 'Members who were offered no mask',
  }),
  sizes: Type.Array(
    Type.Object({
      size: Type.String(),
      available: Type.Integer({ description: 'Masks that nobody has been offered' }),
      held: Count('Of these, announced for the drop'),
      ...offerCounts,
    }),
    { description: 'Offers of this drop in each size' },
  ),
});
export type DropFacts = Static<typeof DropFacts>;

export const MemberDrop = Type.Object({
  wish: Type.Object(
    { sizes: Type.Array(Type.String()), takes_any: Type.Boolean() },
    { description: 'The sizes that they take' },
  ),
  entrant: Nullable(
    Type.Object(
      {
        drop: Type.Integer(),
        position: Type.Integer({ description: 'On the frozen list' }),
        draw_order: IntegerOrNull('null: not drawn yet'),
        chosen_size: TextOrNull('null: not chosen'),
      },
      { description: 'On the list of the last drop' },
    ),
  ),
  offers: Type.Array(ListedOffer, { description: 'Of all drops, newest first' }),
  rewards: Type.Array(
    Type.Object({
      tier: Type.Integer(),
      reward: Type.String(),
      state: Type.Enum(REWARD_STATES),
      asked_at: Time,
      sent_at: Time,
    }),
    { description: 'Of the tiers that they reached, the lowest first' },
  ),
});
export type MemberDrop = Static<typeof MemberDrop>;

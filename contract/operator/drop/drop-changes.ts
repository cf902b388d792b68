import { Type } from 'typebox';
import { SCHEDULED_STEPS } from '../../drop/step-words.ts';
import { Change, Text, Whole } from '../../fields.ts';
import { MAX_ENTRANTS, MAX_PAUSE_MESSAGE } from '../limits.ts';

const MAX_MASKS = 1_000_000;
const TimeOfDay = (description: string) =>
  Type.Optional(Type.String({ maxLength: 5, description }));
const PassCode = Text(100, 'The code of the pass');

const inputs = {
  'freeze-drop': Change('Freeze the first of the line as the list of the drop', {
    first: Whole(1, MAX_ENTRANTS, 'How many members, from the first of the line'),
    pause_message: Type.Optional(
      Text(MAX_PAUSE_MESSAGE, 'Joining is paused with this message; without it, joins go on'),
    ),
    holders_enter: Type.Optional(
      Type.Boolean({ description: 'Let members in who hold a mask of an earlier drop' }),
    ),
    losses_count: Type.Optional(
      Type.Boolean({ description: 'Give one more ticket in the draw for each lost drop' }),
    ),
    domains: Type.Optional(
      Type.Array(Text(253), {
        maxItems: 200,
        description:
          'Mail domains of which everybody takes part; of another domain only two do, unless it ' +
          'is that of a known mail provider',
      }),
    ),
    cards: Type.Optional(
      Type.Object(
        {
          hours: Type.Optional(
            Whole(24, 96, 'How long entrants can enter, from the freeze; 48 by default'),
          ),
          refuses_prepaid: Type.Optional(Type.Boolean({ description: 'No prepaid card enters' })),
        },
        { description: 'Only members whose card holds the price get a mask; needs Stripe as till' },
      ),
    ),
  }),
  'unfreeze-drop': Change('Open the drop again, without its list', {}),
  'announce-draw': Change('Announce how many masks are given, and how they are drawn', {
    masks: Type.Optional(
      Type.Array(
        Type.Object({
          size: Text(100),
          masks: Whole(0, MAX_MASKS, 'How many of this size are given'),
        }),
        { minItems: 1, maxItems: 100, description: 'Without it, all that are available' },
      ),
    ),
    by_rank: Type.Optional(
      Whole(0, MAX_MASKS, 'So many masks go to the first of the list; without it, all are drawn'),
    ),
    drawn_among: Type.Optional(
      Whole(0, MAX_ENTRANTS, 'Among the first so many; without it, among all who take part'),
    ),
    source: Type.Enum(['none', 'quicknet', 'seed'] as const, {
      description:
        'Where the randomness comes from: a future round of the public beacon quicknet, or a ' +
        'seed whose hash is announced; none when all masks go by rank',
    }),
    draw_at: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'With quicknet: when the round is to be public, ISO 8601 with its offset from UTC',
      }),
    ),
  }),
  'amend-draw': Change('Change how many masks of a size are given, and tell why on the site', {
    size: Text(100),
    masks: Whole(0, MAX_MASKS, 'How many of this size are given after all'),
    public_reason: Text(500, 'Why, as the page of the draw shows it for good'),
  }),
  'select-entrants': Change('Draw who gets a mask', {
    signature: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'That of the announced round, in hexadecimal, as relays of drand answer it',
      }),
    ),
  }),
  'close-drop': Change('End the drop for good, and the offers that are still open', {}),
  'open-drop': Change('Open the next drop', {}),
  'start-offers': Change('Begin to offer the masks to those who were drawn', {
    minutes: Whole(10, 20_160, 'How long an offer stands; 720 is twelve hours'),
    time_zone: Text(100, 'Such as Europe/Berlin'),
    quiet_from: TimeOfDay('When masks stop being offered in the evening, such as 22:00'),
    quiet_until: TimeOfDay('When they are offered again in the morning, such as 08:00'),
    pay_hours: Type.Optional(
      Whole(1, 720, 'How long a pass can be paid, by default 24; then the next gets the mask'),
    ),
  }),
  'pause-offers': Change('Offer no mask, and let no offer end, until the offers are resumed', {}),
  'resume-offers': Change('Offer masks again, and give open offers back their time', {}),
  'extend-offers': Change('Give open offers more time', {
    minutes: Whole(1, 20_160, 'How much later they end'),
    offer_id: Type.Optional(Text(100, 'One offer; without it, all open ones get more time')),
  }),
  'offer-mask': Change('Offer a mask by hand to a member of the draw', { member_id: Text(100) }),
  'import-codes': Change('Keep codes of the shop, of which each member gets one', {
    codes: Type.Array(Text(100), {
      minItems: 1,
      maxItems: 200,
      description: 'Codes of the shop, each of which one member gets',
    }),
    size: Type.Optional(Text(100, 'The size that they are for; without it, any')),
    tier: Type.Optional(Whole(1, 100, 'The codes are the reward of this tier, and not for passes')),
  }),
  'make-codes': Change('Make codes for the passes', {
    count: Whole(1, 1_000, 'How many'),
    size: Type.Optional(Text(100, 'The size that they are for; without it, any')),
  }),
  'cancel-pass': Change('Cancel a pass for good, and mail the member why', {
    code: PassCode,
    note: Text(500, 'Why, in plain words: the member is mailed this'),
  }),
  'swap-passes': Change('Give passes that are not paid new codes, and end the old ones', {
    codes: Type.Array(PassCode, {
      minItems: 1,
      maxItems: 200,
      description: 'Codes of passes that are not paid. Where one cannot be changed, none is',
    }),
    size: Type.Optional(Text(100, 'Another size for the passes, of which masks must be left')),
  }),
  'reissue-pass': Change('Give a member another pass with a new code', { code: PassCode }),
  'ask-addresses': Change('Ask members with a paid mask by mail where it goes', {
    drop: Type.Optional(Whole(1, 999_999, 'Its number; the last by default')),
  }),
  'mark-masks-sent': Change('Mark paid masks as sent, and mail members the tracking number', {
    carrier: Text(100, 'Who brings them: members read it'),
    parcels: Type.Array(Text(210, 'The code of a paid pass, a comma, the tracking number'), {
      minItems: 1,
      maxItems: 200,
    }),
  }),
  'tell-others': Change('Mail all others who joined before the freeze that they got no mask', {}),
} as const;

export const dropInputs = {
  ...inputs,
  'schedule-step': Change('Let the server take a step of the drop at a time', {
    at: Type.String({ maxLength: 40, description: 'ISO 8601, with its offset from UTC' }),
    time_zone: Text(100, 'In which people read this time, such as Europe/Berlin'),
    step: Type.Object(
      {
        'freeze-drop': Type.Optional(inputs['freeze-drop']),
        'announce-draw': Type.Optional(inputs['announce-draw']),
        'select-entrants': Type.Optional(inputs['select-entrants']),
        'start-offers': Type.Optional(inputs['start-offers']),
        'close-drop': Type.Optional(inputs['close-drop']),
      },
      { description: 'One step, with the input that it has as a change of its own' },
    ),
  }),
  'unschedule-step': Change('Take a step from the schedule', { step: Type.Enum(SCHEDULED_STEPS) }),
  'publish-schedule': Change('Show the schedule on the site, or hide it', {
    is_public: Type.Boolean({ description: 'Whether the site shows it; false takes it back' }),
  }),
} as const;

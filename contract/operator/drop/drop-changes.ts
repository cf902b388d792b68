import { Type } from 'typebox';
import { Text, Whole } from '../../fields.ts';
import { MAX_ENTRANTS, MAX_PAUSE_MESSAGE } from '../limits.ts';

const MAX_MASKS = 1_000_000;

export const dropInputs = {
  'freeze-drop': Type.Object({
    first: Whole(1, MAX_ENTRANTS, 'How many members, from the first of the line'),
    pause_message: Type.Optional(
      Text(MAX_PAUSE_MESSAGE, 'Joining is paused with this message; without it, joins go on'),
    ),
    holders_enter: Type.Optional(
      Type.Boolean({ description: 'Let members in who hold a mask of an earlier drop' }),
    ),
    losses_count: Type.Optional(
      Type.Boolean({ description: 'Give a ticket one more try for each drop that it lost' }),
    ),
  }),
  'unfreeze-drop': Type.Object({}),
  'announce-draw': Type.Object({
    masks: Type.Optional(
      Type.Array(
        Type.Object({
          size: Text(100),
          masks: Whole(0, MAX_MASKS, 'How many of this size are given'),
        }),
        { minItems: 1, maxItems: 100, description: 'Without it, all that are available' },
      ),
    ),
    by_rank: Whole(0, MAX_MASKS, 'So many masks go to the first of the list, the others are drawn'),
    drawn_among: Whole(0, MAX_ENTRANTS, 'Among the first so many; 0 when all go by rank'),
    source: Type.Enum(['none', 'quicknet', 'seed'] as const, {
      description:
        'Of the randomness: a future round of the public beacon quicknet, or a seed whose hash ' +
        'is announced; none when all masks go by rank',
    }),
    draw_at: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'With quicknet: when the round is to be public, ISO 8601 with its offset from UTC',
      }),
    ),
  }),
  'amend-draw': Type.Object({
    size: Text(100),
    masks: Whole(0, MAX_MASKS, 'How many of this size are given after all'),
    public_reason: Text(500, 'Why, as the page of the draw shows it for good'),
  }),
  'select-entrants': Type.Object({
    signature: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Of the announced round, in hexadecimal, as every relay of drand answers it',
      }),
    ),
  }),
  'close-drop': Type.Object({}),
  'open-drop': Type.Object({}),
} as const;

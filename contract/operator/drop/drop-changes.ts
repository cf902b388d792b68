import { Type } from 'typebox';
import { MAX_PAUSE_MESSAGE } from '../limits.ts';

/** The most that a browser can recompute. */
const MAX_ENTRANTS = 10_000;
const MAX_MASKS = 1_000_000;

const Whole = (maximum: number, description: string) =>
  Type.Integer({ minimum: 0, maximum, description });

export const dropInputs = {
  'freeze-drop': Type.Object({
    first: Type.Integer({
      minimum: 1,
      maximum: MAX_ENTRANTS,
      description: 'How many members, from the first of the line',
    }),
    pause_message: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_PAUSE_MESSAGE,
        description: 'Joining is paused with this message; without it, joins go on',
      }),
    ),
  }),
  'unfreeze-drop': Type.Object({}),
  'announce-draw': Type.Object({
    masks: Type.Optional(
      Type.Array(
        Type.Object({
          size: Type.String({ minLength: 1, maxLength: 100 }),
          masks: Whole(MAX_MASKS, 'How many of this size are given'),
        }),
        { minItems: 1, maxItems: 100, description: 'Without it, all that are available' },
      ),
    ),
    by_rank: Whole(MAX_MASKS, 'So many masks go to the first of the list, the others are drawn'),
    drawn_among: Whole(MAX_ENTRANTS, 'Among the first so many; 0 when all go by rank'),
    source: Type.Enum(['none', 'quicknet', 'seed'] as const, {
      description:
        'Of the randomness: a future round of the public beacon quicknet, or a seed whose hash ' +
        'is announced; none when all masks go by rank',
    }),
    draw_at: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'With quicknet: when the round is to be public, ISO 8601',
      }),
    ),
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

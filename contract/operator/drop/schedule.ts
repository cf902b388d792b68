import { type Static, Type } from 'typebox';
import { SCHEDULED_STEPS } from '../../drop/step-words.ts';
import { IntegerOrNull, TextOrNull } from '../../fields.ts';

export const Schedule = Type.Object({
  drop: Type.Integer(),
  state: Type.String({ description: 'Of the drop' }),
  now: Type.String({
    description: 'By the clock of the database, which decides when a step is due',
  }),
  is_public: Type.Boolean({ description: 'Whether the site shows it' }),
  steps: Type.Array(
    Type.Object({
      step: Type.Enum(SCHEDULED_STEPS),
      at: Type.String(),
      time_zone: Type.String({ description: 'Of the operator who scheduled it' }),
      state: Type.Enum(['scheduled', 'done', 'failed', 'cancelled'] as const),
      failure: TextOrNull('Why it failed, as a sentence'),
      settled_at: TextOrNull('When it was done, failed or was cancelled'),
      input: Type.Object({}, { additionalProperties: true, description: 'Of the change' }),
      scheduled_by: TextOrNull('The name of an operator or key'),
      change: IntegerOrNull('The number of the change that scheduled it'),
    }),
    { description: 'By time' },
  ),
});
export type Schedule = Static<typeof Schedule>;

import { type Static, Type } from 'typebox';
import { Nullable } from '../../fields.ts';
import { SCHEDULED_STEPS } from '../../drop/step-words.ts';

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
      failure: Nullable(Type.String({ description: 'Why it failed, as a sentence' })),
      settled_at: Nullable(
        Type.String({ description: 'When it was done, failed or was cancelled' }),
      ),
      input: Type.Object({}, { additionalProperties: true, description: 'Of the change' }),
      scheduled_by: Nullable(Type.String({ description: 'The name of an operator or key' })),
      change: Nullable(Type.Integer({ description: 'The number of the change that scheduled it' })),
    }),
    { description: 'By time' },
  ),
});
export type Schedule = Static<typeof Schedule>;

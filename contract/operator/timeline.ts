import { type Static, Type } from 'typebox';

const Moment = Type.String({ description: 'ISO 8601 in UTC' });

export const Timeline = Type.Object({
  from: Moment,
  until: Moment,
  rows: Type.Array(
    Type.Object({
      label: Type.String(),
      is_night: Type.Boolean(),
      spans: Type.Array(Type.Object({ from: Moment, until: Moment, text: Type.String() })),
    }),
  ),
});
export type Timeline = Static<typeof Timeline>;

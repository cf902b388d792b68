/** The answer of a comparison of the line with its source. */
import { type Static, Type } from 'typebox';

export const Verification = Type.Object({
  members: Type.Integer({ description: 'Members compared' }),
  differences: Type.Array(Type.String(), { description: 'Empty when all is well' }),
});
export type Verification = Static<typeof Verification>;

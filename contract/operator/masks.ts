import { type Static, Type } from 'typebox';
import { NullableText } from '../fields.ts';

export const MaskSize = Type.Object({
  name: Type.String(),
  stock: Type.Integer(),
  allocated: Type.Integer(),
  offered: Type.Integer({ description: 'To members: open offers, and passes' }),
  accepted: Type.Integer({ description: 'Of the offered ones those with a pass' }),
  available: Type.Integer({ description: 'Neither allocated nor offered' }),
  held: Type.Integer({ description: 'Of the available ones those announced for the drop' }),
});
export type MaskSize = Static<typeof MaskSize>;

export const MaskSizes = Type.Object({ sizes: Type.Array(MaskSize) });
export type MaskSizes = Static<typeof MaskSizes>;

export const Allocation = Type.Object({
  id: Type.String(),
  size: Type.String(),
  quantity: Type.Integer(),
  note: Type.String(),
  allocated_at: Type.String({ description: 'ISO 8601 in UTC, like released_at' }),
  released_at: NullableText,
  release_note: NullableText,
});
export type Allocation = Static<typeof Allocation>;

export const Allocations = Type.Object({ allocations: Type.Array(Allocation) });
export type Allocations = Static<typeof Allocations>;

import { type TSchema, Type } from 'typebox';

export function Nullable<Schema extends TSchema>(
  schema: Schema,
  options: { readonly description?: string } = {},
) {
  return Type.Union([schema, Type.Null()], options);
}

/** ISO 8601 in UTC, or null. */
export const NullableTime = Nullable(Type.String({ description: 'ISO 8601 in UTC' }));

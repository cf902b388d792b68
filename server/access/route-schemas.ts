/** Schemas that several routes share. */
import { Type } from 'typebox';

/** The answer without a body. */
export const NOTHING = Type.Unsafe<undefined>(Type.Null());

/** A path with one id. */
export function idParameter<Name extends string>(name: Name) {
  const properties = { [name]: Type.String({ pattern: UUID }) } as Record<
    Name,
    ReturnType<typeof Type.String>
  >;
  return Type.Object(properties);
}

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

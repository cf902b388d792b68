/** Schemas that several routes share. */
import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import type { Access } from './actor.ts';

/** The answer without a body. */
export const NOTHING = Type.Unsafe<undefined>(Type.Null());

/** Options of the operator's routes under one heading of the API description. */
export function operatorRoutes(tag: string) {
  return <Schema extends FastifySchema>(access: Access, summary: string, schema: Schema) => ({
    config: { access },
    schema: { tags: [tag], summary, ...schema },
  });
}

/** A path with one id. */
export function idParameter<Name extends string>(name: Name) {
  const properties = { [name]: Type.String({ pattern: UUID }) } as Record<
    Name,
    ReturnType<typeof Type.String>
  >;
  return Type.Object(properties);
}

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { type OperatorCall, operatorCalls } from '../../contract/operator/calls.ts';
import type { Access } from './actor.ts';

export const NOTHING = Type.Unsafe<undefined>(Type.Null());

export function operatorRoutes(tag: string) {
  return <Call extends OperatorCall, Schema extends FastifySchema>(
    access: Access,
    call: Call,
    schema: Schema,
  ) => ({
    config: { access },
    schema: { tags: [tag], ...operatorCalls[call], ...schema },
  });
}

export function idParameter<Name extends string>(name: Name) {
  const id = Type.String({ pattern: UUID });
  return Type.Object({ [name]: id } as Record<Name, typeof id>);
}

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

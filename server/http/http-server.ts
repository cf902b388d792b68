import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';

export type HttpServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** An `onRequest` hook that throws a Problem unless the request carries the operator's token. */
export type TokenCheck = (request: FastifyRequest) => Promise<void>;

export function publicRoute<Schema extends FastifySchema>(summary: string, schema: Schema) {
  return { schema: { summary, ...schema } };
}

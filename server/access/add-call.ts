import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import {
  type CallDescription,
  type Method,
  type PathParameters,
  pathParameters,
} from '../../contract/operator/calls/call.ts';
import {
  type CallAnswer,
  type CallBody,
  type CallPath,
  type CallQuery,
  type OperatorCall,
  operatorCalls,
} from '../../contract/operator/calls.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../contract/schemas.ts';
import type { HttpServer } from '../http/http-server.ts';

type Request<Name extends OperatorCall> = FastifyRequest<{
  Body: CallBody<Name>;
  Querystring: CallQuery<Name>;
  Params: PathParameters<CallPath<Name>>;
}>;
type Answer<Name extends OperatorCall> =
  | ((typeof operatorCalls)[Name] extends { readonly file: object } ? Readable : CallAnswer<Name>)
  | FastifyReply;

/** Adds the route of a call, as the contract describes it. */
export function addCall<Name extends OperatorCall>(
  server: HttpServer,
  name: Name,
  handler: (request: Request<Name>, reply: FastifyReply) => Answer<Name> | Promise<Answer<Name>>,
  { bodyLimit }: { readonly bodyLimit?: number } = {},
): void {
  const call: CallDescription = operatorCalls[name];
  const [method, pathName] = name.split(' ') as [Method, keyof typeof operatorPaths];
  const url = operatorPaths[pathName];
  const { access, summary, description, querystring, body } = call;
  const params = parametersOf(url);
  const isChecked = querystring !== undefined || Object.values(params).some(hasRule);
  server.route({
    method,
    url,
    ...(bodyLimit !== undefined && { bodyLimit }),
    config: { access },
    schema: {
      tags: [tagOf(url)],
      summary,
      ...(description !== undefined && { description }),
      ...(querystring && { querystring }),
      ...(body && { body }),
      ...(Object.keys(params).length > 0 && { params: Type.Object(params) }),
      response: {
        ...successOf(call),
        ...(body && REFUSED_BODY),
        ...(isChecked && { 422: ErrorBody }),
        ...Object.fromEntries((call.refusals ?? []).map((status) => [status, ErrorBody])),
      },
    },
    handler: handler as (request: FastifyRequest, reply: FastifyReply) => unknown,
  });
}

/** `Sign in` for `/operator/api/sign-in/links`. */
function tagOf(path: string): string {
  const word = path.split('/')[3] ?? '';
  return word.charAt(0).toUpperCase() + word.slice(1).replaceAll('-', ' ');
}

function parametersOf(path: string): Record<string, TSchema> {
  const names = path.match(/(?<=:)\w+/g) ?? [];
  return Object.fromEntries(
    names.map((name) => [name, pathParameters[name as keyof typeof pathParameters]]),
  );
}

function hasRule(schema: TSchema): boolean {
  return 'pattern' in schema || 'enum' in schema;
}

function successOf({ answer, file, status }: CallDescription): Record<number, unknown> {
  if (file === undefined)
    return answer === undefined ? { 204: Type.Null() } : { [status ?? 200]: answer };
  const content = Object.entries(file).map(([type, schema]) => [type, { schema }]);
  return { 200: { content: Object.fromEntries(content) } };
}

/** The calls of the operator API as its OpenAPI document describes them. */
import type { Access } from '../../contract/operator/calls/call.ts';
import type { TestApp } from './test-app.ts';

export type OperatorCall = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path of the document: `/operator/api/sizes/{size}`. */
  readonly path: string;
  /** The path with an x for each parameter. */
  readonly url: string;
  readonly access: Access;
  /** The statuses it may answer. */
  readonly statuses: readonly number[];
};

type Operation = { 'x-access': Access; responses: Record<string, unknown> };

export async function readOperatorCalls({
  fastify,
}: Pick<TestApp, 'fastify'>): Promise<OperatorCall[]> {
  const { paths } = (await fastify.inject('/api/openapi.json')).json() as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/operator/api/'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase() as OperatorCall['method'],
        path,
        url: path.replaceAll(/\{\w+\}/g, 'x'),
        access: operation['x-access'],
        statuses: Object.keys(operation.responses).map(Number),
      })),
    );
}

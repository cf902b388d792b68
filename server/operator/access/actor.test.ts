import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { answerError } from '../../http/errors.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { type Access, requireAccess } from './actor.ts';

const ACTOR = { kind: 'operator', id: '7', name: 'Ada' } as const;

function openServer(may: readonly Access[]): HttpServer {
  const server = Fastify() as unknown as HttpServer;
  server.setErrorHandler(answerError);
  requireAccess(server, async () => ({ actor: ACTOR, may: new Set(may) }));
  return server;
}

test('a route that does not say who may call it cannot be registered', () => {
  const server = openServer(['read']);
  expect(() => server.get('/operator/api/forgotten', async () => 'x')).toThrow(
    'GET /operator/api/forgotten does not say who may call it: config.access',
  );
});

test.each(['read', 'write', 'export', 'owner'] as const)(
  'a route for %s runs with its actor, and not without that access',
  async (access) => {
    const others = (['read', 'write', 'export', 'owner'] as const).filter((one) => one !== access);
    for (const [may, status] of [
      [[access], 200],
      [others, 403],
      [[], 403],
    ] as const) {
      const server = openServer(may);
      server.get('/a', { config: { access } }, async ({ actor }) => actor);
      const answer = await server.inject('/a');
      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toEqual(
        status === 200 ? ACTOR : { detail: expect.stringMatching(/^[A-Z].*\.$/) },
      );
    }
  },
);

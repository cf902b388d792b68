import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Access } from '../../contract/operator/calls/call.ts';
import { answerError } from '../http/errors.ts';
import type { HttpServer } from '../http/http-server.ts';
import { requireAccess } from './actor.ts';

const ACTOR = { kind: 'operator', id: '7', name: 'Ada' } as const;
const ALL = ['anyone', 'self', 'read', 'write', 'export', 'owner'] as const;

function openServer(may: readonly Access[]): HttpServer {
  const server = Fastify() as unknown as HttpServer;
  server.setErrorHandler(answerError);
  const identify = async () => ({ actor: ACTOR, may: new Set(may), session: null });
  requireAccess(server, { identify, publicUrl: 'https://line.example.com' });
  return server;
}

test('a route that does not say who may call it cannot be registered', () => {
  const server = openServer(['read']);
  expect(() => server.get('/operator/api/forgotten', async () => 'x')).toThrow(
    'GET /operator/api/forgotten does not say who may call it: config.access',
  );
});

test.each(['self', 'read', 'write', 'export', 'owner'] as const)(
  'a route for %s runs with its actor, and not without that access',
  async (access) => {
    const others = ALL.filter((one) => one !== access);
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

test('a route for anyone is open to programs and our own pages, and to no other page', async () => {
  const server = openServer([]);
  server.post('/a', { config: { access: 'anyone' } }, async () => 'done');
  const statusFor = async (headers: Record<string, string>) =>
    (await server.inject({ method: 'POST', url: '/a', headers })).statusCode;
  expect(await statusFor({})).toBe(200);
  expect(await statusFor({ origin: 'https://line.example.com' })).toBe(200);
  expect(await statusFor({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(await statusFor({ origin: 'https://evil.example' })).toBe(403);
  expect(await statusFor({ 'sec-fetch-site': 'same-site' })).toBe(403);
});

import type { AddressInfo } from 'node:net';
import { openTestApp, type TestApp } from '../http/test-app.ts';

/** An app on a loopback port, for requests that no HTTP client would send. */
export async function openListeningApp(): Promise<{ app: TestApp; port: number }> {
  const app = await openTestApp('postgres');
  await app.fastify.listen({ host: '127.0.0.1', port: 0 });
  return { app, port: (app.fastify.server.address() as AddressInfo).port };
}

import { type AddressInfo, connect } from 'node:net';
import { beforeAll } from 'vitest';
import { provideApp } from '../http/provide-app.ts';

/** An app on a loopback port, for requests that no HTTP client would send. */
export function provideListening() {
  const app = provideApp('postgres');
  beforeAll(async () => void (await app.fastify.listen({ host: '127.0.0.1', port: 0 })));
  return { app, port: () => (app.fastify.server.address() as AddressInfo).port };
}

const PATIENCE_MS = 15_000;

/** All that comes until the server closes the connection. */
export function exchange(port: number, text: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1');
    const overdue = setTimeout(() => reject(new Error(`no end after ${received}`)), PATIENCE_MS);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(overdue);
      resolve(received);
    });
    socket.write(text);
  });
}

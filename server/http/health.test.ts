import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { answerError } from './errors.ts';
import { addHealthRoutes, openMetrics } from './health.ts';
import type { HttpServer } from './http-server.ts';

test('the pool is counted before the questions that the metrics ask themselves', async () => {
  let underWay = 0;
  const database: Partial<Database> = {
    engine: 'postgres',
    countConnections: () => ({ inUse: 0, idle: 0, waiting: underWay }),
    async ping() {
      underWay += 1;
      await new Promise(setImmediate);
      underWay -= 1;
    },
  };
  const metrics = openMetrics(Fastify() as unknown as HttpServer);
  metrics.watchDatabase(database as Database);
  for (let scrape = 0; scrape < 2; scrape += 1)
    expect(await metrics.read()).toContain('waitlist_database_connections{state="waiting"} 0');
});

test('a server that leaves fails its health checks and serves everything else', async () => {
  const server = Fastify() as unknown as HttpServer;
  server.setErrorHandler(answerError);
  const metrics = openMetrics(server);
  const database: Partial<Database> = { ping: async () => {} };
  const checkToken = async () => {};
  const { leaveProxies } = addHealthRoutes(server, database as Database, {
    metrics,
    checkToken,
    readDetail: async () => null,
  });
  const readStatuses = () =>
    Promise.all(
      ['/healthz', '/readyz', '/metrics'].map(async (url) => (await server.inject(url)).statusCode),
    );
  expect(await readStatuses()).toEqual([200, 200, 200]);
  leaveProxies();
  expect(await readStatuses()).toEqual([503, 503, 200]);
});

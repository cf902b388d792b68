import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { type Database, inTime } from '../db/database.ts';
import { Problem } from '../problem.ts';
import { readCommit, readVersion } from '../version.ts';
import type { Admission } from './admission/admission.ts';
import type { HttpServer, TokenCheck } from './http-server.ts';

/** Within this, the proxies of deploy/ see a failed health check and send nothing more. */
const PROXY_NOTICE_MS = 2_000;

/** Read once: the commit asks git. */
const PROGRAM = { version: readVersion(), commit: readCommit() };

export type Metrics = ReturnType<typeof openMetrics>;

let processMetrics: Registry | undefined;

/** One per process, because the library never ends its watch of the event loop. */
function readProcessMetrics(): Registry {
  if (processMetrics === undefined) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }
  return processMetrics;
}

export function openMetrics(server: HttpServer) {
  const registry = Registry.merge([readProcessMetrics()]);
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const joins = new Counter({
    name: 'waitlist_joins_total',
    help: 'Joins answered, from the API and from native forms.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const proofs = new Counter({
    name: 'waitlist_proofs_total',
    help: 'Joins answered that needed a proof of work and brought it.',
    registers: [registry],
  });

  let countPool = () => {};

  function addGauge(name: string, help: string, read: () => number | Promise<number>): void {
    const collect = async () => gauge.set(await read());
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect });
  }

  function addCounter(name: string, help: string, read: () => number): void {
    const collect = () => {
      counter.reset();
      counter.inc(read());
    };
    const counter: Counter = new Counter({ name, help, registers: [registry], collect });
  }

  server.addHook('onResponse', (request, reply, done) => {
    if (reply.getHeader('content-type') === 'text/event-stream') return done();
    const { method, routeOptions } = request;
    const { url: route = 'unknown' } = routeOptions;
    durations.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  return {
    registry,
    addGauge,
    read() {
      // Before other gauges ask the database: their own queries are no load to report.
      countPool();
      return registry.metrics();
    },
    countJoin: (outcome: 'joined' | 'already_registered') => joins.inc({ outcome }),
    countProof: () => proofs.inc(),
    watchDatabase({ engine, ping, countConnections }: Database): void {
      new Gauge({
        name: 'waitlist_info',
        help: 'Always 1, with version and commit of the program, and the engine of the database.',
        labelNames: ['version', 'commit', 'engine'],
        registers: [registry],
      }).set({ ...PROGRAM, engine }, 1);
      const help = 'Whether the database answers within two seconds: 1 or 0.';
      addGauge('waitlist_database_up', help, () =>
        ping()
          .then(() => 1)
          .catch(() => 0),
      );
      if (countConnections === null) return;
      const connections = new Gauge({
        name: 'waitlist_database_connections',
        help: 'Connections of the pool, and queries that wait for one.',
        labelNames: ['state'],
        registers: [registry],
      });
      countPool = () => {
        const { inUse, idle, waiting } = countConnections();
        connections.set({ state: 'in_use' }, inUse);
        connections.set({ state: 'idle' }, idle);
        connections.set({ state: 'waiting' }, waiting);
      };
    },
    watchDisk(dataDir: string): void {
      const help = 'Free bytes on the disk of the data folder.';
      addGauge('waitlist_disk_free_bytes', help, () =>
        statfs(dataDir).then(
          ({ bavail, bsize }) => bavail * bsize,
          () => Number.NaN,
        ),
      );
    },
    watchAdmission({ underWay, refused, limited }: Admission): void {
      addGauge('http_requests_under_way', 'Requests that are being worked on.', underWay);
      addCounter(
        'http_requests_refused_total',
        'Requests and connections answered 503 because the server was full.',
        refused,
      );
      addCounter(
        'http_requests_limited_total',
        'Requests and connections answered 429 because their address sent too many.',
        limited,
      );
    },
  };
}

type HealthOptions = {
  readonly metrics: Metrics;
  readonly checkToken: TokenCheck;
  /** What people should know of a server that is ready, or null. */
  readDetail(): Promise<string | null>;
};

export function addHealthRoutes(
  server: HttpServer,
  database: Database,
  { metrics, checkToken, readDetail }: HealthOptions,
): { leaveProxies(): Promise<void> } {
  const schema = { hide: true };
  let isLeaving = false;
  async function refuseWhileLeaving(): Promise<void> {
    if (isLeaving) throw new Problem('unavailable', 'The server is about to restart.');
  }
  server.get('/healthz', { schema, onRequest: refuseWhileLeaving }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  server.get('/readyz', { schema, onRequest: refuseWhileLeaving }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const asked = database.ping().then(() => inTime(readDetail()));
    const detail = await asked.catch((cause: unknown) => {
      const message = 'The database does not answer.';
      throw new Problem('unavailable', message, { retryAfterSeconds: 5, cause });
    });
    return { status: 'ok', ...(detail !== null && { detail }) };
  });
  // Loopback needs the token too, because behind a local proxy everybody is loopback.
  server.get('/metrics', { schema, onRequest: checkToken }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return reply.type(metrics.registry.contentType).send(await metrics.read());
  });
  return {
    /** Fails health checks while everything else is served, until proxies have noticed. */
    leaveProxies() {
      isLeaving = true;
      return delay(PROXY_NOTICE_MS);
    },
  };
}

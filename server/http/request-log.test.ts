import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { createHttpServer } from './create-server.ts';
import { describeError, explainFault, logFailure, openHangUpLog } from './request-log.ts';

test('a request is logged by its route, without what stands in its address', async () => {
  let log = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log += chunk;
      done();
    },
  });
  const server = createHttpServer({
    config: { trustProxy: [] },
    log: pino({ level: 'trace' }, stream),
    headers: {},
    sendNotFound: (_request, reply) => reply.code(404).send(),
  });
  server.get('/thank-you/:memberId', async () => {
    throw new Error(
      'duplicate key: (email)=(ada@example.com) of 7b3c0c1e-6b1f-4b7a-9a51-3c2a5d1f0000, ' +
        'code AB12CD34EF',
    );
  });
  await server.inject({ method: 'GET', url: '/thank-you/7b3c0c1e-secret?ref=AB12CD34EF' });
  await server.inject({ method: 'GET', url: '/unknown/ada@example.com' });
  await server.close();
  expect(log).toContain('"route":"/thank-you/:memberId"');
  expect(log).toContain('"status":500');
  expect(log).toContain('"route":"unknown"');
  for (const personal of ['ada', 'secret', 'AB12CD34EF', '7b3c0c1e'])
    expect(log).not.toContain(personal);
});

test('requests of machines that watch the server are logged on level debug', async () => {
  const lines: { level: number; route: string }[] = [];
  const server = createHttpServer({
    config: { trustProxy: [] },
    log: pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line)) }),
    headers: {},
    sendNotFound: (_request, reply) => reply.code(404).send(),
  });
  const paths = ['/healthz', '/readyz', '/metrics', '/'];
  for (const path of paths) server.get(path, async () => ({}));
  for (const url of paths) await server.inject({ method: 'GET', url });
  await server.close();
  const { debug, info } = pino.levels.values;
  const logged = lines.filter(({ route }) => route !== undefined);
  expect(logged.map(({ level, route }) => [level, route])).toEqual([
    [debug, '/healthz'],
    [debug, '/readyz'],
    [debug, '/metrics'],
    [info, '/'],
  ]);
});

test('a failure that an outage of PostgreSQL explains is logged on level debug', () => {
  const lines: unknown[][] = [];
  const log = pino(
    { level: 'debug' },
    { write: (line) => lines.push([JSON.parse(line).level, JSON.parse(line).msg]) },
  );
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  logFailure(log, 'error', refused, 'a query failed');
  logFailure(log, 'error', new Error('a bug'), 'a query failed');
  logFailure(log, 'warn', 'nothing', 'not served');
  const { debug, warn, error } = pino.levels.values;
  expect(lines).toEqual([
    [debug, 'a query failed'],
    [error, 'a query failed'],
    [warn, 'not served'],
  ]);
});

test('an error keeps its name, code and place in the log, and nothing else that it carries', () => {
  const error = Object.assign(new TypeError('bad'), {
    code: '23505',
    detail: 'Key (email)=(ada@example.com) exists.',
  });
  const described = describeError(error);
  expect(described).toMatchObject({ name: 'TypeError', message: 'bad', error_code: '23505' });
  expect(JSON.stringify(described)).not.toContain('ada');
  expect(described.stack).toContain('request-log.test');
  expect(describeError('ada@example.com')).toEqual({ name: 'NotAnError', message: '[address]' });
});

test('an error of 400,000 letters is described, which a search from each would not end', () => {
  const letters = 'x'.repeat(400_000);
  const { message } = describeError(new Error(`${letters} "a@b.example" ${letters}`));
  expect(message).toBe(`${letters} "[address]" ${letters}`);
});

test('a fault is explained without parameters of a statement and frames of WebAssembly', () => {
  const error = Object.assign(new Error('null value in column "a"'), { params: ['ada'] });
  error.stack += '\n    at wasm://wasm/pglite.wasm-0a6:wasm-function[19404]:0x5c\n';
  const explained = explainFault(error);
  expect(explained).toMatch(/^Error: null value in column "a"\n +at .*request-log\.test/);
  expect(explained).not.toMatch(/wasm|ada/);
  expect(explainFault('of no kind')).toBe('NotAnError: of no kind');
});

test('clients that hang up are logged together, one line a minute', () => {
  vi.useFakeTimers();
  try {
    const lines: unknown[] = [];
    const log = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line).requests) });
    const hangUps = openHangUpLog(log);
    for (let count = 0; count < 3; count++) hangUps.count();
    expect(lines).toEqual([1]);
    vi.advanceTimersByTime(60_000);
    expect(lines).toEqual([1, 2]);
    vi.advanceTimersByTime(600_000);
    hangUps.count();
    expect(lines).toEqual([1, 2, 1]);
  } finally {
    vi.useRealTimers();
  }
});

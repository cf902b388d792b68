/**
 * The least that could be done, for comparison: a bare Fastify with one durable single-row INSERT and one primary-key SELECT on
 * the same engine, and a constant answer of the same size. No checks, no line, no limits. Besides, without HTTP: INSERTs of many rows.
 */
import { randomUUID } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import Fastify from 'fastify';
import pg from 'pg';
import { ensureEmbedded } from '../server/db/create-embedded.ts';
import { DurableFileSystem, durableStartParams } from '../server/db/durable-file-system.ts';

const ROWS = Number(process.env.FLOOR_ROWS);
/** Of an answer's body. */
const BYTES = Number(process.env.FLOOR_BYTES ?? 300);
const CREATE = `
  create table if not exists floor_member (id uuid primary key, number bigint unique, email text unique, answer text);
  insert into floor_member
    select gen_random_uuid(), n, 'seed' || n || '@example.com', repeat('x', 200) from generate_series(1, ${ROWS}) n
    on conflict do nothing;
  analyze floor_member;`;

type Query = (name: string, text: string, values: unknown[]) => Promise<unknown[]>;

async function openQuery(): Promise<{ query: Query; run: (text: string) => Promise<unknown> }> {
  if (process.env.FLOOR_DATABASE_URL) {
    const pool = new pg.Pool({ connectionString: process.env.FLOOR_DATABASE_URL, max: 10 });
    return {
      query: async (name, text, values) => (await pool.query({ name, text, values })).rows,
      run: (text) => pool.query(text),
    };
  }
  const dir = await ensureEmbedded(process.env.FLOOR_DATA_DIR ?? '', () => {});
  const pglite = await PGlite.create({ fs: new DurableFileSystem(dir), startParams: durableStartParams });
  return {
    query: async (_name, text, values) => (await pglite.query(text, values)).rows,
    run: (text) => pglite.exec(text),
  };
}

const { query, run } = await openQuery();
await run(CREATE);
const ids = (await query('ids', 'select id from floor_member where number <= $1', [20_000])) as { id: string }[];

const app = Fastify();
const constant = JSON.stringify({ answer: 'x'.repeat(BYTES - '{"answer":""}'.length) });
app.get('/ids', async () => ids.map(({ id }) => id));
app.get('/constant', async (_request, reply) => reply.type('application/json').send(constant));
app.get<{ Params: { id: string } }>('/select/:id', async (request) => {
  const rows = await query('select', 'select id, email, answer from floor_member where id = $1', [request.params.id]);
  return rows[0];
});
app.post<{ Body: { email: string } }>('/insert', async (request, reply) => {
  const id = randomUUID();
  await query('insert', 'insert into floor_member (id, email, answer) values ($1, $2, $3)', [
    id,
    request.body.email,
    'x'.repeat(200),
  ]);
  reply.code(201);
  return { id, email: request.body.email };
});
// The client asks once; the INSERTs themselves go one after the other, each of so many rows.
app.get<{ Querystring: { rows: string; seconds: string } }>('/insert-many', async ({ query: { rows, seconds } }) => {
  const latenciesMs: number[] = [];
  const endsAt = performance.now() + Number(seconds) * 1000;
  while (performance.now() < endsAt) {
    const beganAt = performance.now();
    await insertMany(Number(rows));
    latenciesMs.push(performance.now() - beganAt);
  }
  return latenciesMs;
});

async function insertMany(count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await query(
    'insert-many',
    `insert into floor_member (id, email, answer)
     select made.id, made.id || '@mail.example', repeat('x', 200) from unnest($1::uuid[]) made (id)`,
    [ids],
  );
}

await app.listen({ host: '127.0.0.1', port: Number(process.env.FLOOR_PORT) });
console.log('floor is open');

/** A bare Fastify with a constant answer, a primary-key SELECT and a durable one-row INSERT. */
import { randomUUID } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import Fastify from 'fastify';
import pg from 'pg';
import { ensureEmbedded } from '../../server/db/embedded/create-embedded.ts';
import {
  DurableFileSystem,
  durableStartParams,
} from '../../server/db/embedded/durable-file-system.ts';
import { SAMPLE } from '../members/read-sample.ts';

const { DATA_DIR = '', DATABASE_URL, PORT, ROWS, BYTES } = process.env;
const CREATE = `
  create table baseline_member (
    id uuid primary key, number bigint unique, email text unique, answer text);
  insert into baseline_member
    select gen_random_uuid(), n, 'seed' || n || '@example.com', repeat('x', 200)
    from generate_series(1, ${ROWS}) n;
  analyze baseline_member;`;

type Query = <Row>(name: string, text: string, values: unknown[]) => Promise<Row[]>;

async function openQuery(): Promise<{ query: Query; run: (text: string) => Promise<unknown> }> {
  if (DATABASE_URL) {
    const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
    return {
      query: async (name, text, values) => (await pool.query({ name, text, values })).rows,
      run: (text) => pool.query(text),
    };
  }
  const fs = new DurableFileSystem(await ensureEmbedded(DATA_DIR, () => {}));
  const pglite = await PGlite.create({ fs, startParams: durableStartParams });
  return {
    query: async <Row>(_name: string, text: string, values: unknown[]) =>
      (await pglite.query<Row>(text, values)).rows,
    run: (text) => pglite.exec(text),
  };
}

const { query, run } = await openQuery();
await run(CREATE);

const app = Fastify();
const constant = JSON.stringify({ answer: 'x'.repeat(Number(BYTES) - '{"answer":""}'.length) });
app.get('/constant', async (_request, reply) => reply.type('application/json').send(constant));
app.get<{ Params: { id: string } }>('/select/:id', async ({ params }) => {
  const select = 'select id, email, answer from baseline_member where id = $1';
  return (await query('select', select, [params.id]))[0];
});
app.post<{ Body: { email: string } }>('/insert', async ({ body: { email } }, reply) => {
  const id = randomUUID();
  const insert = 'insert into baseline_member (id, email, answer) values ($1, $2, $3)';
  await query('insert', insert, [id, email, 'x'.repeat(200)]);
  reply.code(201);
  return { id, email };
});
app.get('/ids', async () => {
  const rows = await query<{ id: string }>(
    'ids',
    'select id from baseline_member where number <= $1',
    [SAMPLE],
  );
  return rows.map(({ id }) => id);
});
console.log(
  `The baseline is open at ${await app.listen({ host: '127.0.0.1', port: Number(PORT) })}`,
);

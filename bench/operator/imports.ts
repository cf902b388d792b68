/**
 * `npm run bench:imports`: a list of 100,000 rows imported while people join, on both engines.
 * Writes bench/IMPORTS.md. Options: --rows, --members, --engine embedded|postgres, --results FILE.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ListImport, MAX_CHUNK_BYTES } from '../../contract/operator/imports/list-import.ts';
import { fillPath, operatorPaths } from '../../contract/operator/paths.ts';
import { fill, type Place, startProduct, thisCheckout, verify } from '../checkout.ts';
import { short, table, whole } from '../report/markdown.ts';
import { describeMachine } from '../report/records.ts';
import { onEngines } from './on-engines.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    members: { type: 'string', default: '100000' },
    engine: { type: 'string' },
    results: { type: 'string', default: fileURLToPath(new URL('../IMPORTS.md', import.meta.url)) },
  },
});
const [rows, members] = [Number(values.rows), Number(values.members)];

const JOINS_PER_SECOND = 20;
const POLL_MS = 100;

type Joins = { readonly count: number; readonly worstMs: number; readonly refused: number };
type Phase = { readonly seconds: number; readonly joins: Joins };
type Run = Readonly<Record<'upload' | 'check' | 'import' | 'undo', Phase>>;

/** A third came by another row; every hundredth row is a duplicate. */
function makeList(): Buffer {
  const lines = Array.from({ length: rows }, (_, row) => {
    const address = `old${row % 100 === 99 ? row - 1 : row}@example.com`;
    const referrer = row % 3 === 0 && row > 10 ? `old-${row >> 2}` : '';
    return `${row},${address},old-${row},${referrer},2025-01-01T00:00:00Z`;
  });
  return Buffer.from(['id,email,referral_code,referred_by,created_at', ...lines].join('\n'));
}

async function measure(place: Place): Promise<Run> {
  const filled = await fill(thisCheckout, place, members);
  const server = await startProduct(thisCheckout, filled, { LIMITS: 'off' });
  const token = readFileSync(join(place.dataDir, 'operator-token'), 'utf8').trim();
  const joins = startJoins(server.url);

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  async function phase<T>(work: () => Promise<T>): Promise<Phase & { result: T }> {
    joins.reset();
    const startedAt = performance.now();
    const result = await work();
    return { seconds: (performance.now() - startedAt) / 1000, joins: joins.read(), result };
  }

  const upload = await phase(() => send(call, makeList()));
  const { id } = upload.result;
  const check = await phase(async () => {
    const columns = { row_id: 0, email: 1, referral_code: 2, referrer: 3, joined_at: 4 };
    const path = fillPath(operatorPaths.importMapping, id);
    let now = await call<ListImport>('PUT', path, { columns, order: 'file' });
    while (now.state === 'checking') {
      await pause(POLL_MS);
      now = await call('GET', fillPath(operatorPaths.listImport, id));
    }
    if (now.report?.importable !== rows - Math.floor(rows / 100))
      throw new Error(`The check found ${JSON.stringify(now.report ?? now.problem)}.`);
  });
  const imported = await phase(() =>
    call<{ change: number }>('POST', operatorPaths.changes, {
      kind: 'import-members',
      input: { import_id: id, may_mail: true, confirmed: true, mail: 'none' },
      reason: 'bench',
    }),
  );
  const undoPath = fillPath(operatorPaths.undoChange, String(imported.result.change));
  const undo = await phase(() => call('POST', undoPath, { reason: 'bench' }));
  await joins.stop();
  await server.stop();
  await verify(thisCheckout, place);
  return { upload, check, import: imported, undo };
}

type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

async function send(call: Call, file: Buffer): Promise<ListImport> {
  const begin = { file_name: 'bench.csv', bytes: file.length };
  let now = await call<ListImport>('POST', operatorPaths.imports, begin);
  for (let from = 0; from < file.length; from += MAX_CHUNK_BYTES) {
    const base64 = file.subarray(from, from + MAX_CHUNK_BYTES).toString('base64');
    const path = fillPath(operatorPaths.importChunks, now.id);
    now = await call('POST', path, { first_byte: from, base64 });
  }
  return now;
}

/** An open loop: slow answers do not delay the joins that follow. */
function startJoins(url: string) {
  let [number, count, worstMs, refused] = [0, 0, 0, 0];
  const open = new Set<Promise<void>>();
  async function joinOnce(): Promise<void> {
    number += 1;
    const startedAt = performance.now();
    const response = await fetch(`${url}/api/waitlist/join`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `visitor${number}@example.com`, referred_by: null }),
    });
    await response.text();
    count += 1;
    if (response.status !== 201) refused += 1;
    worstMs = Math.max(worstMs, performance.now() - startedAt);
  }
  const timer = setInterval(() => {
    const done = joinOnce().finally(() => open.delete(done));
    open.add(done);
  }, 1000 / JOINS_PER_SECOND);
  return {
    reset: () => {
      [count, worstMs, refused] = [0, 0, 0];
    },
    read: (): Joins => ({ count, worstMs, refused }),
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
    },
  };
}

const ENGINES = { embedded: 'embedded', postgres: 'PostgreSQL' } as const;
const loadBefore = loadavg()[0] ?? 0;
const found: (readonly [string, Run])[] = [];
await onEngines(
  values.engine === undefined ? Object.keys(ENGINES) : [values.engine],
  async (engine, newPlace) => {
    const name = ENGINES[engine as keyof typeof ENGINES];
    found.push([name, await measure(await newPlace())]);
  },
);

const lines = found.flatMap(([engine, run]) =>
  Object.entries(run).map(([name, { seconds, joins }]) => [
    engine,
    name,
    short(seconds),
    whole(joins.count),
    whole(joins.worstMs),
    whole(joins.refused),
  ]),
);
const head = ['engine', 'phase', 'seconds', 'joins meanwhile', 'slowest ms', 'refused'];
writeFileSync(
  values.results,
  `# Import of a list

${whole(rows)} rows into a line of ${whole(members)} members, while ${JOINS_PER_SECOND} people a
second join. A third of the rows came by another row. Check, import and undo are cut into pieces,
each a transaction, and joins have their turns in between. The line is verified afterwards.

${table(head, lines)}

${describeMachine()}.
${new Date().toISOString().slice(0, 10)}, load average ${short(loadBefore)} before.
Again: \`npm run bench:imports\`
`,
);
console.log(readFileSync(values.results, 'utf8'));

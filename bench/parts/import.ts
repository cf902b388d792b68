/** Joins while the largest list is uploaded, checked and deleted. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ListImport, MAX_IMPORT_ROWS } from '../../contract/operator/imports/list-import.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { fill, startProduct, thisCheckout } from '../checkout.ts';
import { type Joins, startJoins } from '../load/steady-joins.ts';
import type { Part, Report } from '../part.ts';
import type { Engine } from '../places.ts';
import { short, table, whole } from '../report/markdown.ts';

const OPTIONS = { members: 10_000, rows: MAX_IMPORT_ROWS };
const JOINS_PER_SECOND = 20;
const LARGEST_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 192 * 1024;
/** The first joins on a server that has just started meet cold caches. */
const WARM_UP_MS = 5_000;
/** Long enough for the upkeep that deletion makes due. */
const ALONE_MS = 30_000;
const POLL_MS = 200;

const REPORT: Report = {
  file: 'IMPORT.md',
  head: `# Imports beside joins

${JOINS_PER_SECOND} people a second join at one server, whether or not others have been answered,
while an owner uploads a list of ${whole(LARGEST_BYTES / 1e6)} MB, has it checked and deletes it;
and then files that are as large. Server, database and client share one machine.`,
};

type Phase = { readonly beside: string; readonly seconds: number; readonly joins: Joins };

export const importPart = (engine: Engine): Part<typeof OPTIONS, Phase[]> => ({
  name: `import-${engine}`,
  writes: REPORT,
  options: OPTIONS,
  async measure({ options: { members, rows }, newPlace, log }) {
    const place = await newPlace(engine);
    await fill(thisCheckout, place, members);
    const { port, stop } = await startProduct(thisCheckout, place, { LIMITS: 'off' });
    const token = readFileSync(join(place.dataDir, 'operator-token'), 'utf8').trim();
    const call = openCalls(`http://127.0.0.1:${port}`, token);
    const phases: Phase[] = [];
    async function beside(name: string, work: () => Promise<unknown>): Promise<void> {
      const joins = startJoins(port, {
        tag: `phase${phases.length}`,
        perSecond: JOINS_PER_SECOND,
      });
      const beganAt = performance.now();
      await work();
      const seconds = (performance.now() - beganAt) / 1000;
      phases.push({ beside: name, seconds, joins: await joins.stop() });
      log(`${name}: the longest wait is ${short(phases.at(-1)?.joins.longestMs ?? 0)} ms`);
    }

    await pause(WARM_UP_MS);
    await beside('nothing', () => pause(ALONE_MS));
    let list: ListImport | undefined;
    await beside('upload', async () => {
      list = await upload(call, largestList(rows));
    });
    const path = fillPath(operatorPaths.listImport, list?.id ?? '');
    await beside('check', async () => {
      await check(call, list?.id ?? '');
    });
    await beside('deletion', () => call('DELETE', path));
    await beside('what follows', () => pause(ALONE_MS));
    await beside('rows of "a"', () => upload(call, Buffer.alloc(LARGEST_BYTES, 'a\n')));
    await beside('one line', () => upload(call, Buffer.alloc(LARGEST_BYTES, 'a')));
    await beside('newlines', () => upload(call, Buffer.alloc(LARGEST_BYTES, '\n')));
    await beside('newlines between two rows, and their check', async () => {
      const { id } = await upload(call, twoRowsApart());
      await check(call, id);
    });
    await stop();
    return phases;
  },
  describe(phases, { members, rows }) {
    const head = ['beside', 'seconds', 'joins', 'failed', 'p50 ms', 'p99 ms', 'longest ms'];
    const cells = phases.map(({ beside, seconds, joins }) => [
      beside,
      short(seconds),
      whole(joins.answered),
      whole(joins.refused),
      ...[joins.p50Ms, joins.p99Ms, joins.longestMs].map(short),
    ]);
    const counts = `${whole(members)} members, ${whole(rows)} rows.`;
    return [`## ${engine}`, counts, table(head, cells)].join('\n\n');
  },
});

type Calls = ReturnType<typeof openCalls>;

function openCalls(origin: string, token: string) {
  return async (method: string, path: string, body?: object): Promise<ListImport> => {
    const response = await fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return JSON.parse(text || '{}');
  };
}

/** Every second row names a referrer, and all have a code of their own. */
function largestList(rows: number): Buffer {
  const width = Math.floor(LARGEST_BYTES / rows) - 1;
  const lines = Array.from({ length: rows - 1 }, (_, row) => {
    const referrer = row % 2 === 0 ? '' : `r${row >> 1}@list.example`;
    return `r${row}@list.example,${referrer},C${String(row).padStart(9, '0')},`.padEnd(width, 'x');
  });
  return Buffer.from(['email,referrer,code,note', ...lines].join('\n'));
}

function twoRowsApart(): Buffer {
  const file = Buffer.alloc(LARGEST_BYTES, '\n');
  file.write('email,referrer,code\na@list.example,,');
  file.write('b@list.example,,', LARGEST_BYTES - 16);
  return file;
}

async function upload(call: Calls, file: Buffer): Promise<ListImport> {
  const begun = { file_name: 'list.csv', bytes: file.length };
  let now = await call('POST', operatorPaths.imports, begun);
  while (now.received < file.length) {
    const chunk = file.subarray(now.received, now.received + CHUNK_BYTES);
    now = await call('POST', fillPath(operatorPaths.importChunks, now.id), {
      first_byte: now.received,
      base64: chunk.toString('base64'),
    });
  }
  return now;
}

async function check(call: Calls, id: string): Promise<void> {
  await call('PUT', fillPath(operatorPaths.importMapping, id), {
    columns: { email: 0, referrer: 1, referral_code: 2 },
    order: 'file',
  });
  while ((await call('GET', fillPath(operatorPaths.listImport, id))).state === 'checking')
    await pause(POLL_MS);
}

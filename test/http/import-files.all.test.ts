/** The file of an import: its upload, its check, and when it is deleted. */
import { beforeAll, describe, expect } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { openEngine } from '../../server/durable-work/work.ts';
import { beginCheck, deleteOldImports } from '../../server/members/imports/receive-import.ts';
import { openWalks } from '../../server/members/imports/walk-import.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { withClient } from '../support/with-client.ts';
import { type ImportCalls, openImportCalls } from './import-calls.ts';
import { provideApp } from './provide-app.ts';

describe.each(oneEngine)('files of imports on %s', (engine) => {
  const app = provideApp(engine);
  const { sql } = app;
  let calls: ImportCalls;
  beforeAll(() => {
    calls = openImportCalls(app);
  });
  /** Tables that hold bytes of files, also deleted ones. */
  const readContents = () =>
    sql(`select relname from pg_class
      where relname like 'list_import_%' and relkind = 'r' and pg_relation_size(oid) > 0`);
  const remove = async ({ id }: { id: string }) =>
    (await calls.call('DELETE', `${operatorPaths.imports}/${id}`)).statusCode;

  const step = tellStory('goes through one step after the other');

  step('an upload goes on where it stopped, on any server', async () => {
    const file = Buffer.from('email\nada@example.com\nben@example.com\n');
    const about = { file_name: 'x.csv', bytes: file.length };
    const begun = await app.post(operatorPaths.imports, about);
    await calls.sendChunk(begun.id, 0, file.subarray(0, 12));
    const again = await calls.sendChunk(begun.id, 0, file.subarray(0, 12));
    expect([again.statusCode, again.json()]).toEqual([
      409,
      expect.objectContaining({ detail: expect.stringContaining('byte 12') }),
    ]);
    expect(await calls.read(begun.id)).toMatchObject({ state: 'receiving', received: 12 });
    const other = await app.openAnother();
    const there = openImportCalls(other);
    const whole = (await there.sendChunk(begun.id, 12, file.subarray(12))).json();
    expect(whole).toMatchObject({ state: 'received', file: { encoding: 'utf-8', separator: ',' } });
    await there.map(begun.id, { columns: { email: 0 }, order: 'file' });
    expect((await calls.waitForCheck(begun.id)).report).toMatchObject({ importable: 2 });
    await other.close();
  });

  step('a check whose server stops is begun again elsewhere', async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `row${row}@example.com`);
    const { id } = await calls.upload(['email', ...rows].join('\n'));
    const mapping = { columns: { email: 0 }, order: 'file' } as const;
    const { database, fastify } = app;
    const { log } = fastify;
    const engine = await openEngine({ database, log });
    const walks = openWalks({ database, secretKey: '', engine });
    await beginCheck(walks, id, mapping);
    await engine.close();
    expect((await calls.read(id)).state).toBe('checking');
    await calls.map(id, mapping);
    expect((await calls.waitForCheck(id)).report).toMatchObject({
      rows: 20_000,
      importable: 20_000,
    });
  });

  step('two operators who import one list get it once', async () => {
    const { id } = await calls.check('email\nada@example.com\n');
    const statuses = (await Promise.all([calls.apply(id), calls.apply(id)])).map(
      ({ statusCode }) => statusCode,
    );
    expect(statuses.sort()).toEqual([201, 409]);
    expect(await sql('select email from member')).toEqual([{ email: 'ada@example.com' }]);
  });

  step('files are deleted after a day, or when asked', async () => {
    const kept = await calls.check('email\nada@example.com\n');
    await deleteOldImports(app.database);
    expect((await calls.read(kept.id)).state).toBe('checked');
    await deleteOldImports(app.database, new Date(Date.now() + 25 * 3_600_000));
    expect((await calls.call('GET', `${operatorPaths.imports}/${kept.id}`)).statusCode).toBe(404);
    expect(await remove(await calls.check('email\nada@example.com\n'))).toBe(204);
    expect(await readContents()).toEqual([]);
  });

  if (engine === 'postgres')
    step('a long reader such as pg_dump holds up nobody, and puts off the deletion', () =>
      withClient(app.config.databaseUrl ?? '', async (client) => {
        const first = await calls.check('email\nada@example.com\n');
        await client.query('begin; select from list_import_row; select from list_import_chunk');
        expect(await remove(first)).toBe(204);
        const next = await calls.check('email\nben@example.com\nnobody\n');
        await client.query('commit');
        await deleteOldImports(app.database);
        expect(await readContents()).toHaveLength(2);
        expect(await remove(next)).toBe(204);
        expect(await readContents()).toEqual([]);
      }),
    );
});

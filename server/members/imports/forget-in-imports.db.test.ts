import { expect, test } from 'vitest';
import { captureLog } from '../../../test/support/captured-log.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import { openEngine } from '../../durable-work/work.ts';
import { forgetInImports } from './forget-in-imports.ts';
import { readImport } from './import-store.ts';
import { beginImport, receiveChunk } from './receive-import.ts';
import { openWalks } from './walk-import.ts';

const MEMBERS = 8;

const line = provideLine('postgres');

test('whoever is erased while a file is described is in none of its samples', async () => {
  const erased = await line.joinAll(MEMBERS);
  const addresses = (await line.sql<{ email: string }>('select email from member')).map(
    ({ email }) => email,
  );
  const file = Buffer.from(['email', ...addresses, 'stays@example.com'].join('\n'));
  const { id } = await beginImport(line.database, { file_name: 'list.csv', bytes: file.length });
  let reads = 0;
  // An erasure comes between each read of the file and what is made of it.
  const kysely = line.database.kysely.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const isOfFile = result.rows.some(({ bytes }) => bytes instanceof Uint8Array);
      if (isOfFile) reads += 1;
      const member = isOfFile ? erased.pop() : undefined;
      if (member !== undefined) await forgetInImports(line.database, member.id);
      return result;
    },
  });
  const database = { ...line.database, kysely };
  const engine = await openEngine({ database, log: captureLog().logger });
  const walks = openWalks({ database, secretKey: 'secret', engine });
  await receiveChunk(walks, id, { firstByte: 0, bytes: file });
  await engine.close();
  expect(reads).toBeGreaterThan(MEMBERS);
  const { state, file: described } = await readImport(line.database.kysely, id);
  expect(state).toBe('received');
  for (const address of addresses) expect(JSON.stringify(described)).not.toContain(address);
  expect(described?.columns).toMatchObject([{ name: 'email', suggested: 'email' }]);
});

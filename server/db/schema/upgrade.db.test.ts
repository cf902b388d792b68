import { describe, expect, test } from 'vitest';
import { oneEngine } from '../../../test/support/engines.ts';
import { type Place, providePlaces } from '../../../test/support/provide-places.ts';
import {
  CODES_IN_ORDER,
  listStates,
  readState,
  STATE_SECRET_KEY,
} from '../../../test/support/stored-states.ts';
import { isAll } from '../../../test/support/test-form.ts';
import { restoreBackup } from '../../backup/restore-backup.ts';
import { verifyLine } from '../../line/verify/verify-line.ts';
import { openDatabase } from '../open.ts';
import type { Schema } from './read-schema.ts';

const { createEmptyPlace } = providePlaces();

/** Friends whom a rule had held count since, so that those who invited them stand elsewhere. */
const FRIENDS_WHO_CONFIRM = '0045';

const all = listStates();
/** What the states between hold, the last one holds as well: only `npm run test:all` has them. */
const states = isAll ? all : all.slice(-1);

describe.each(states)('a line of the state %s', (name) => {
  const state = readState(name);
  const restore = (place: Place, schema?: Schema) =>
    restoreBackup(
      { ...place, secretKey: STATE_SECRET_KEY },
      { path: state.backup, log: () => {}, ...(schema && { schema }) },
    );

  /** Twice: the second start finds nothing to do. */
  async function expectSameLine(place: Place): Promise<void> {
    for (let start = 0; start < 2; start += 1) {
      const database = await openDatabase({ ...place, log: () => {} });
      try {
        const { rows } = await database.runSql<{ code: string }>(CODES_IN_ORDER);
        const codes = rows.map(({ code }) => code);
        if (name > FRIENDS_WHO_CONFIRM) expect(codes).toEqual(state.codes);
        else expect(codes.toSorted()).toEqual(state.codes.toSorted());
        expect(await verifyLine(database)).toEqual({
          members: state.codes.length,
          differences: [],
        });
      } finally {
        await database.close();
      }
    }
  }

  test('comes up with every position, as the data folder of its program', async () => {
    const place = await createEmptyPlace('embedded');
    state.unpack(place.dataDir);
    await expectSameLine(place);
  });

  test('comes up with every position, as the PostgreSQL database of its program', async () => {
    const place = await createEmptyPlace('postgres');
    await restore(place, state.schema);
    await expectSameLine(place);
  });

  test.each(oneEngine)('is restored with every position on %s from a backup', async (engine) => {
    const place = await createEmptyPlace(engine);
    expect(await restore(place)).toMatchObject({ members: state.codes.length });
    await expectSameLine(place);
  });
});

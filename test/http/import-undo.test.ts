/** Imports beside what happens to the line before and after them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { finishImport } from '../../server/members/imports/finish-import.ts';
import { reverseImport } from '../../server/members/imports/import-runs.ts';
import { updateImport } from '../../server/members/imports/import-store.ts';
import { insertRun } from '../../server/members/imports/run-store.ts';
import { openWalks } from '../../server/members/imports/walk-import.ts';
import { oneEngine } from '../support/engines.ts';
import {
  emptyLine,
  expectWholeLine,
  type ImportCalls,
  openImportCalls,
  readImportedLine,
} from './import-calls.ts';
import { openTestApp, type TestApp } from './test-app.ts';

describe.each(oneEngine)('imports beside joins on %s', (engine) => {
  let app: TestApp;
  let calls: ImportCalls;
  let storage: Parameters<typeof openWalks>[0];
  beforeAll(async () => {
    app = await openTestApp(engine);
    calls = openImportCalls(app);
    storage = { ...app, secretKey: 'secret', log: app.fastify.log, isStopping: () => false };
  });
  afterAll(() => app.remove());
  beforeEach(() => emptyLine(app));

  /** Decides the import, and leaves it to the test to go on. */
  async function apply(id: string, rows: number): Promise<void> {
    const options = { file: 'list.csv', rows, isConfirmed: true, givesCredit: true, mail: null };
    await inTransaction(app.database, async (transaction) => {
      await updateImport(transaction, { id }, { state: 'importing', check_id: null });
      await insertRun(transaction, id, options);
    });
  }

  test('a referrer in line gets the credit, and loses it by the undo', async () => {
    const host = await app.join('host@example.com');
    const { id } = await calls.check(
      [
        'email,referred_by',
        `by-code@example.com,${host.referral_code}`,
        'by-address@example.com,host@example.com',
      ].join('\n'),
    );
    const { change } = (await calls.apply(id)).json() as { change: number };
    expect((await readImportedLine(app))[0]?.referral_count).toBe(2);
    const undone = await calls.undo(change);
    expect(undone.json()).toMatchObject({ summary: '2 imported members left the line again.' });
    expect(await readImportedLine(app)).toMatchObject([
      { email: 'host@example.com', referral_count: 0 },
    ]);
    await expectWholeLine(app);
  });

  test('an undo keeps those who have brought friends since', async () => {
    await app.join('before@example.com');
    const { id } = await calls.check(
      [
        'email,code,referred by',
        'a@example.com,AAAAAAAA23,',
        'b@example.com,,AAAAAAAA23',
        'c@example.com,,b@example.com',
      ].join('\n'),
    );
    const { change } = (await calls.apply(id)).json() as { change: number };
    const [, , b] = await readImportedLine(app);
    await app.join('friend@example.com', b?.referral_code);
    const undone = await calls.undo(change);
    expect(undone.json()).toMatchObject({
      summary:
        '2 imported members left the line again. ' +
        '1 member stayed: friends have joined by them since.',
    });
    expect(
      (await readImportedLine(app)).map(({ email, referrer, referral_count, is_invited }) => [
        email,
        referrer,
        referral_count,
        is_invited,
      ]),
    ).toEqual([
      ['before@example.com', null, 0, false],
      ['b@example.com', null, 1, true],
      ['friend@example.com', 'b@example.com', 0, true],
    ]);
    await expectWholeLine(app);
    expect((await calls.undo(change)).statusCode).toBe(409);
  });

  test('what has changed since the check is judged again', async () => {
    const host = await app.join('host@example.com');
    const { id } = await calls.check(
      [
        'email,referral_code,referred_by',
        'late@example.com,LATE000000,',
        'friend@example.com,,LATE000000',
        `orphan@example.com,,${host.referral_code}`,
      ].join('\n'),
    );
    await app.join('LATE@example.com');
    await calls.call('POST', operatorPaths.changes, {
      kind: 'erase-member',
      input: { member: host.id },
      reason: 'asked for it',
    });
    expect((await calls.apply(id)).json()).toMatchObject({
      summary: '2 members joined from list.csv, 1 row of it was left out.',
    });
    expect(
      (await readImportedLine(app)).map(({ email, referrer, referral_count }) => [
        email,
        referrer,
        referral_count,
      ]),
    ).toEqual([
      ['LATE@example.com', null, 1],
      ['friend@example.com', 'LATE@example.com', 0],
      ['orphan@example.com', null, 0],
    ]);
    await expectWholeLine(app);
  });

  test('people join between pieces that know of each other, and stay after an undo', async () => {
    const address = (row: number) => `row${row}@example.com`;
    const referrerOf = (row: number) => {
      if (row <= 100) return address(row + 700);
      return row >= 1100 ? address(row - 1000) : '';
    };
    const list = Array.from({ length: 1200 }, (_, row) => `${address(row)},${referrerOf(row)}`);
    const { id } = await calls.check(['email,referred_by', ...list].join('\n'));
    await apply(id, 1200);
    const joined: number[] = [];
    let host: { readonly email: string; readonly referral_code: string } | undefined;
    const walks = openWalks(storage, async () => {
      joined.push((await readImportedLine(app)).length);
      await expectWholeLine(app);
      if (joined.length > 1) return;
      host = (await readImportedLine(app))[5];
      await app.join('ROW800@example.com', host?.referral_code);
      await app.join('guest@example.com');
    });
    expect(await finishImport(storage, walks, id)).toBe(
      '1,199 members joined from list.csv, 1 row of it was left out.',
    );
    expect(joined).toEqual([500, 1001]);

    const line = await readImportedLine(app);
    const of = (email: string) => line.find((member) => member.email === email);
    expect(line.findIndex(({ email }) => email === 'guest@example.com')).toBe(501);
    expect(of(address(0))).toMatchObject({ referrer: address(700), credit: 'given' });
    expect(of(address(700))?.referral_count).toBe(1);
    expect(of(address(100))).toMatchObject({ referrer: 'ROW800@example.com', referral_count: 1 });
    expect(of(address(1100))).toMatchObject({ referrer: address(100), credit: 'given' });
    await expectWholeLine(app);
    const { rows: due } = await app.database.runSql(`
      select email from notification_due join member on id = member_id order by email`);
    expect(due).toEqual([{ email: 'ROW800@example.com' }, { email: host?.email }]);

    await inTransaction(app.database, (transaction) => reverseImport(transaction, id));
    expect(await finishImport(storage, walks, id)).toBe(
      '1,198 imported members left the line again. ' +
        '1 member stayed: friends have joined by them since.',
    );
    expect((await readImportedLine(app)).map(({ email }) => email)).toEqual([
      host?.email,
      'ROW800@example.com',
      'guest@example.com',
    ]);
    await expectWholeLine(app);
  });

  test('an import that stops goes on where it was, and one that is undone stops', async () => {
    const list = Array.from({ length: 1200 }, (_, row) => `row${row}@example.com`);
    const { id } = await calls.check(['email', ...list].join('\n'));
    await apply(id, 1200);
    let isStopping = false;
    const walks = openWalks({ ...storage, isStopping: () => isStopping }, async () => {
      isStopping = true;
    });
    await walks.run(id);
    expect(await readImportedLine(app)).toHaveLength(500);
    const { rows } = await app.database.runSql('select id from member order by sequence limit 1');
    const removal = await calls.call('POST', operatorPaths.changes, {
      kind: 'remove-members',
      input: { member_ids: (rows as { id: string }[]).map((member) => member.id) },
      reason: 'asked for it',
    });
    expect(removal.statusCode).toBe(201);
    await app.database.runSql(
      `update list_import set checked_at = checked_at - interval '1 minute'`,
    );

    const others = openWalks(storage, () =>
      inTransaction(app.database, async (transaction) => {
        await reverseImport(transaction, id);
      }),
    );
    await others.run(id);
    expect(await readImportedLine(app)).toHaveLength(999);
    expect(await finishImport(storage, others, id)).toBe(
      '999 imported members left the line again.',
    );
    expect(await readImportedLine(app)).toEqual([]);
  });
});

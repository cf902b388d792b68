/** Imports beside what happens to the line before and after them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { reverseImport, takePiece } from '../../server/members/imports/import-runs.ts';
import { insertRun } from '../../server/members/imports/run-store.ts';
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
  beforeAll(async () => {
    app = await openTestApp(engine);
    calls = openImportCalls(app);
  });
  afterAll(() => app.remove());
  beforeEach(() => emptyLine(app));

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
    const next = () =>
      inTransaction(app.database, (transaction) => takePiece(transaction, id, 'secret'));
    await inTransaction(app.database, (transaction) =>
      insertRun(transaction, id, {
        file: 'list.csv',
        rows: 1200,
        isConfirmed: true,
        givesCredit: true,
        mail: null,
      }),
    );
    expect(await next()).toMatchObject({ moved: 500, isLast: false });
    await expectWholeLine(app);
    const host = (await readImportedLine(app))[5];
    await app.join('ROW800@example.com', host?.referral_code);
    await app.join('guest@example.com');
    expect(await next()).toMatchObject({ moved: 999, left_out: 1, isLast: false });
    expect(await next()).toMatchObject({ moved: 1199, isLast: true });
    expect(await next()).toMatchObject({ is_done: true, isLast: false });

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
    let now = await next();
    while (now?.is_done === false) now = await next();
    expect(now).toMatchObject({ moved: 1198, left_out: 1, isLast: true });
    expect((await readImportedLine(app)).map(({ email }) => email)).toEqual([
      host?.email,
      'ROW800@example.com',
      'guest@example.com',
    ]);
    await expectWholeLine(app);
  });
});

/** Imports beside what happens to the line before and after them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { oneEngine } from '../support/engines.ts';
import { type ImportCalls, openImportCalls } from './import-calls.ts';
import { openTestApp, type TestApp } from './test-app.ts';

type MemberRow = {
  email: string;
  referral_code: string;
  referrer: string | null;
  credit: string;
  is_invited: boolean;
  joined_at: Date;
  confirmed_at: Date | null;
  referral_count: number;
};

describe.each(oneEngine)('imports beside joins on %s', (engine) => {
  let app: TestApp;
  let calls: ImportCalls;
  beforeAll(async () => {
    app = await openTestApp(engine);
    calls = openImportCalls(app);
  });
  afterAll(() => app.remove());
  beforeEach(async () => {
    await app.database.runSql(`
      update member set referrer_id = null, credit = 'none';
      delete from member; delete from list_import; delete from list_import_row;
      delete from mail_outbox; delete from pgboss.job`);
  });

  /** In order of joining. */
  async function readMembers(): Promise<MemberRow[]> {
    const { rows } = await app.database.runSql(`
      select member.email, member.referral_code, referrer.email as referrer, member.credit,
        member.is_invited, member.joined_at, member.confirmed_at, standing.referral_count
      from member join standing on standing.member_id = member.id
      left join member referrer on referrer.id = member.referrer_id
      order by member.sequence`);
    return rows as MemberRow[];
  }
  const expectWholeLine = async () =>
    expect((await verifyLine(app.database, brand)).differences).toEqual([]);

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
    expect((await readMembers())[0]?.referral_count).toBe(2);
    const undone = await calls.undo(change);
    expect(undone.json()).toMatchObject({ summary: '2 imported members left the line again.' });
    expect(await readMembers()).toMatchObject([{ email: 'host@example.com', referral_count: 0 }]);
    await expectWholeLine();
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
    const [, , b] = await readMembers();
    await app.join('friend@example.com', b?.referral_code);
    const undone = await calls.undo(change);
    expect(undone.json()).toMatchObject({
      summary:
        '2 imported members left the line again. ' +
        '1 member stayed: friends have joined by them since.',
    });
    expect(
      (await readMembers()).map(({ email, referrer, referral_count, is_invited }) => [
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
    await expectWholeLine();
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
      (await readMembers()).map(({ email, referrer, referral_count }) => [
        email,
        referrer,
        referral_count,
      ]),
    ).toEqual([
      ['LATE@example.com', null, 1],
      ['friend@example.com', 'LATE@example.com', 0],
      ['orphan@example.com', null, 0],
    ]);
    await expectWholeLine();
  });
});

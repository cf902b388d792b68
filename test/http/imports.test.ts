/** Import of an existing list. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { oneEngine } from '../support/engines.ts';
import {
  emptyLine,
  expectWholeLine,
  type ImportCalls,
  openImportCalls,
  readImportedLine,
  STATED,
} from './import-calls.ts';
import { openTestApp, type TestApp } from './test-app.ts';

describe.each(oneEngine)('imports on %s', (engine) => {
  let app: TestApp;
  let calls: ImportCalls;
  beforeAll(async () => {
    app = await openTestApp(engine);
    calls = openImportCalls(app);
  });
  afterAll(() => app.remove());
  beforeEach(() => emptyLine(app));

  const emails = async () => (await readImportedLine(app)).map(({ email }) => email);
  const count = async (table: string) =>
    (
      (await app.database.runSql(`select count(*) as rows from ${table}`)).rows[0] as {
        rows: number;
      }
    ).rows;

  test('a list joins at the end, in its order, with codes and referrals', async () => {
    await app.join('early@example.com');
    const checked = await calls.check(
      [
        'Email,Referral Code,Referred by',
        'ada@example.com,ABCDEFGH23,',
        'ben@example.com,ben-1,ABCDEFGH23',
        'eve@example.com,,ben-1',
        'eva@example.com,,ada@EXAMPLE.com',
      ].join('\r\n'),
    );
    expect(checked).toMatchObject({
      state: 'checked',
      report: { rows: 4, importable: 4, left_out: 0, noted: 1, invited: 3, kinds: { new_code: 1 } },
    });
    expect(await emails()).toEqual(['early@example.com']);
    const made = await calls.apply(checked.id);
    expect(made.json()).toMatchObject({
      summary: '4 members joined from list.csv, 0 rows of it were left out.',
    });
    const members = await readImportedLine(app);
    expect(
      members.map(({ email, referrer, credit, referral_count }) => [
        email.split('@')[0],
        referrer?.split('@')[0] ?? null,
        credit,
        referral_count,
      ]),
    ).toEqual([
      ['early', null, 'none', 0],
      ['ada', null, 'none', 2],
      ['ben', 'ada', 'given', 1],
      ['eve', 'ben', 'given', 0],
      ['eva', 'ada', 'given', 0],
    ]);
    expect(members[1]?.referral_code).toBe('ABCDEFGH23');
    expect(members[2]?.referral_code).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    await expectWholeLine(app);
    expect(await count('list_import_row')).toBe(0);
    expect(await count('list_import_chunk')).toBe(0);
    expect((await calls.apply(checked.id)).statusCode).toBe(409);
  });

  test('the audit log has file, counts and hash, and no address', async () => {
    const file = 'email\nada@example.com\nada@example.com\nnobody\n';
    const { id } = await calls.check(file);
    await calls.apply(id);
    const { rows } = await app.database.runSql(
      'select action, details, reason from audit_entry order by sequence desc limit 2',
    );
    expect(rows).toEqual([
      {
        action: 'import-ended',
        reason: null,
        details: expect.objectContaining({ import: id, goal: 'join', moved: 1, left_out: 0 }),
      },
      {
        action: 'import-members',
        reason: 'moving from the old tool',
        details: expect.objectContaining({
          file: 'list.csv',
          sha256: createHash('sha256').update(file).digest('hex'),
          rows: 3,
          importable: 1,
          left_out: 2,
          kinds: { bad_address: 1, duplicate: 1 },
          may_mail: true,
          confirmed: true,
        }),
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain('@');
  });

  test('by time of joining, the earliest of several rows with one address joins', async () => {
    const { id } = await calls.check(
      [
        'email,joined_at',
        'late@example.com,2024-03-01',
        'ADA@example.com,2024-02-01 10:00:00',
        'first@example.com,2023-12-31T23:00:00+02:00',
        'ada@example.com,2024-01-15T08:00:00Z',
      ].join('\n'),
      { order: 'joined_at' },
    );
    expect(await calls.report(id)).toEqual([
      {
        line: 3,
        cell: 'ADA@example.com',
        fault: 'The address is in line 5 of the file, too.',
        notes: [],
      },
    ]);
    await calls.apply(id);
    expect(
      (await readImportedLine(app)).map(({ email, joined_at }) => [email, joined_at.toISOString()]),
    ).toEqual([
      ['first@example.com', '2023-12-31T21:00:00.000Z'],
      ['ada@example.com', '2024-01-15T08:00:00.000Z'],
      ['late@example.com', '2024-03-01T00:00:00.000Z'],
    ]);
  });

  test('faults are reported by line', async () => {
    await app.join('known@example.com');
    const { id, report } = await calls.check(
      [
        'email,joined_at,referral_count,referral_code,referred_by',
        'no address,2024-01-01,0,,',
        ',2024-01-01,0,,',
        'KNOWN@example.com,2024-01-01,0,,',
        'a@example.com,1/2/2024,0,,',
        'b@example.com,2024-02-30,0,,',
        'c@example.com,2999-01-01,0,,',
        'd@example.com,2024-01-01,7,TAKEN00000,',
        '"multi',
        'line@example.com",2024-01-01,0,,',
        'e@example.com,2024-01-01,0,taken00000,nobody',
        'f@example.com,2024-01-01,0,,,more',
        'g@example.com,2024-01-01,0,,g@example.com',
        'h@example.com,2024-01-01,0,,d@example.com',
      ].join('\n'),
    );
    expect(report).toMatchObject({ rows: 12, importable: 4, left_out: 8, noted: 3 });
    expect(
      (await calls.report(id)).map(({ line, fault, notes }) => [line, fault ?? notes]),
    ).toEqual([
      [2, 'This is not an e-mail address.'],
      [3, 'There is no address.'],
      [4, 'The address is in line already.'],
      [5, 'The date can be read in two ways: say whether the day or the month is first.'],
      [6, 'The time of joining cannot be read.'],
      [7, 'The time of joining is in the future.'],
      [8, ['The old list counts 7 friends, of whom 1 are in the file: 6 give no points.']],
      [9, 'There is a space or a line break in this address. Please take it out.'],
      [
        11,
        [
          'The referrer is neither in the file nor in line: imported without one.',
          'The referral code cannot be kept: the member gets a new one.',
        ],
      ],
      [12, 'The row has more cells than the first line.'],
      [13, ['The row names itself as the referrer: imported without one.']],
    ]);
    await calls.apply(id);
    await expectWholeLine(app);
  });

  test('referrers may come later in the file, by row id, and circles are broken', async () => {
    const { id, report } = await calls.check(
      [
        'id;email;referred_by',
        '1;friend@example.com;9',
        '2;one@example.com;3',
        '3;two@example.com;4',
        '4;three@example.com;2',
        '5;hanger-on@example.com;2',
        '9;host@example.com;',
        '10;HOST@example.com;',
        '11;second@example.com;10',
      ].join('\n'),
    );
    expect(report?.kinds).toEqual({ duplicate: 1, referral_circle: 3 });
    await calls.apply(id);
    const referrers = Object.fromEntries(
      (await readImportedLine(app)).map(({ email, referrer }) => [email.split('@')[0], referrer]),
    );
    expect(referrers).toEqual({
      friend: 'host@example.com',
      one: null,
      two: null,
      three: null,
      'hanger-on': 'one@example.com',
      host: null,
      second: 'host@example.com',
    });
    await expectWholeLine(app);
  });

  test('imported members get mail only where the operator says so', async () => {
    const silent = await calls.check('email\nsilent@example.com\n');
    await calls.apply(silent.id);
    expect(await count('mail_outbox')).toBe(0);
    const list = Array.from({ length: 600 }, (_, row) => `row${row}@example.com`);
    const welcomed = await calls.check(['email', ...list].join('\n'));
    const { sentences } = (await calls.preview(welcomed.id, { ...STATED, mail: 'welcome' })).json();
    expect(sentences).toContain('Each of them gets the mail "welcome" with their status link.');
    await calls.apply(welcomed.id, { ...STATED, mail: 'welcome' });
    const queued = async () => {
      const { rows } = await app.database.runSql(`
        select kind, count(*) as mails from (
          select kind from mail_outbox, unnest(member_ids)
          union all select data->>'kind' from pgboss.job where name = 'mail'
        ) mail group by kind`);
      return rows;
    };
    expect(await queued()).toEqual([{ kind: 'welcome', mails: 600 }]);
  });

  test('confirmed is what the operator states', async () => {
    const { id } = await calls.check('email\nada@example.com\n');
    const { may_mail: _, ...unstated } = STATED;
    expect((await calls.apply(id, unstated)).statusCode).toBe(422);
    expect((await calls.apply(id, { ...STATED, may_mail: false })).statusCode).toBe(422);
    await calls.apply(id, { ...STATED, confirmed: false });
    expect((await readImportedLine(app))[0]?.confirmed_at).toBeNull();
  });
});

/** Import of an existing list, beside what happens to the line before, during and after it. */
import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ImportMapping } from '../../contract/operator/imports/list-import.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { csvLine } from '../../server/csv/csv-rules.ts';
import { readCsv } from '../../server/csv/read-csv.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { openEngine } from '../../server/durable-work/work.ts';
import { updateImport } from '../../server/members/imports/import-store.ts';
import { beginRun } from '../../server/members/imports/run-store.ts';
import { describeRun, openWalks } from '../../server/members/imports/walk-import.ts';
import { listOldLines, readOldLine } from '../support/before-baseline.ts';
import { oneEngine } from '../support/engines.ts';
import { type ImportCalls, openImportCalls, STATED } from './import-calls.ts';
import { provideApp } from './provide-app.ts';

const FIELDS =
  'email,referral_code,referred_by,is_invited,joined_at,confirmed_at,point_adjustment,credit,' +
  'mail_state,utm_source,utm_medium,utm_campaign,via,referring_host';
const day = (date: number) => `2024-01-0${date}T10:00:00.12${date}Z`;
const HOST = 'AAAAAAAA23';
const FROM_MAIL = ['newsletter', 'mail', 'autumn', '', 'news.example.com'];
const BY_APP = ['', '', '', 'whatsapp', ''];
const NOWHERE = ['', '', '', '', ''];
const ROWS = [
  ['host@example.com', HOST, '', 'false', day(1), day(2), '3', 'none', 'sending', ...FROM_MAIL],
  ['=1@example.com', 'BBBBBBBB23', HOST, 'true', day(2), day(3), '0', 'given', 'stopped'],
  ["'=1@example.com", 'CCCCCCCC23', HOST, 'true', day(3), '', '0', 'pending', 'bounced'],
  ['+plus1@example.com', 'DDDDDDDD23', HOST, 'true', day(4), day(5), '0', 'held'],
  ['-minus@example.com', 'EEEEEEEE23', HOST, 'true', day(5), day(6), '0', 'refused'],
  ['ada@m\u00fcnchen.example', 'FFFFFFFF23', '', 'true', day(6), day(7), '-2', 'none'],
  ['@SUM"', 'x', '', 'false', day(7), '', '0', 'none'],
].map((row, index) => {
  const [mail, source] = [row[8] ?? 'sending', index === 1 ? BY_APP : NOWHERE];
  return row.length > 9 ? row : [...row.slice(0, 8), mail, ...source];
});

type Row = Readonly<Record<string, string>>;

describe.each(oneEngine)('imports on %s', (engine) => {
  const app = provideApp(engine);
  const { change, undo, sql } = app;
  let calls: ImportCalls;
  beforeAll(() => {
    calls = openImportCalls(app);
  });
  /** The line is then as it was before the first join and the first import. */
  const empty = () =>
    sql(`
      update member set referrer_id = null, credit = 'none';
      delete from member; delete from list_import; delete from list_import_row;
      delete from work; delete from mail_outbox; delete from pgboss.job;
      delete from mail_suppression; delete from credit_case; delete from source where id > 1`);
  beforeEach(empty);

  const checkLines = (lines: readonly string[], mapping: Partial<ImportMapping> = {}) =>
    calls.check(lines.join('\n'), mapping);
  const applyTo = async (id: string, input: object = STATED) =>
    (await calls.apply(id, input)).json();
  /** In order of joining. */
  const readLine = () =>
    sql<ImportedMember>(`
      select split_part(member.email, '@', 1) as name, member.referral_code as code,
        split_part(referrer.email, '@', 1) as referrer, member.credit, member.is_invited as invited,
        member.joined_at, member.confirmed_at, standing.referral_count as friends
      from member join standing on standing.member_id = member.id
      left join member referrer on referrer.id = member.referrer_id
      order by member.sequence`);
  const names = async () => (await readLine()).map(({ name }) => name);
  const isEmpty = async (table: string) => (await sql(`select from ${table} limit 1`)).length === 0;

  test('a list joins at the end, in its order, with codes and referrals', async () => {
    await app.join('early@example.com');
    const checked = await checkLines([
      'Email,Referral Code,Referred by',
      'ada@example.com,ABCDEFGH23,',
      'ben@example.com,ben-1,ABCDEFGH23',
      'eve@example.com,,ben-1',
      'eva@example.com,,ada@EXAMPLE.com',
    ]);
    expect(checked).toMatchObject({
      state: 'checked',
      report: { rows: 4, importable: 4, left_out: 0, noted: 1, invited: 3, kinds: { new_code: 1 } },
    });
    expect(await names()).toEqual(['early']);
    expect(await applyTo(checked.id)).toMatchObject({
      summary: '4 members joined from list.csv, 0 rows of it were left out.',
    });
    expect(await readLine()).toMatchObject([
      { name: 'early', referrer: null, credit: 'none', friends: 0 },
      { name: 'ada', referrer: null, credit: 'none', friends: 2, code: 'ABCDEFGH23' },
      {
        name: 'ben',
        referrer: 'ada',
        credit: 'given',
        friends: 1,
        code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{10}$/),
      },
      { name: 'eve', referrer: 'ben', credit: 'given', friends: 0 },
      { name: 'eva', referrer: 'ada', credit: 'given', friends: 0 },
    ]);
    await app.expectWhole();
    expect([await isEmpty('list_import_row'), await isEmpty('list_import_chunk')]).toEqual([
      true,
      true,
    ]);
    expect((await calls.apply(checked.id)).statusCode).toBe(409);
  });

  test('the audit log has file, counts and hash, and no address', async () => {
    const file = 'email\nada@example.com\nada@example.com\nnobody\n';
    const { id } = await calls.check(file);
    await calls.apply(id);
    const rows = await sql(
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

  test('faults are reported by line', async () => {
    await app.join('known@example.com');
    const { id, report } = await checkLines([
      'email,joined_at,referral_count,referral_code,referred_by',
      'no address,2024-01-01,0,,',
      'KNOWN@example.com,2024-01-01,0,,',
      'a@example.com,1/2/2024,0,,',
      'd@example.com,2024-01-01,7,TAKEN00000,',
      '"multi\nline@example.com",2024-01-01,0,,',
      'e@example.com,2024-01-01,0,taken00000,nobody',
      'f@example.com,2024-01-01,0,,,more',
      'g@example.com,2024-01-01,0,,g@example.com',
      'h@example.com,2024-01-01,0,,d@example.com',
    ]);
    expect(report).toMatchObject({ rows: 9, importable: 4, left_out: 5, noted: 3 });
    const reported = (await calls.report(id)).map(({ line, fault, notes }) => [
      line,
      fault ?? notes,
    ]);
    expect(reported).toEqual([
      [2, 'This is not an e-mail address.'],
      [3, 'The address is in line already.'],
      [4, 'The date can be read in two ways: say whether the day or the month is first.'],
      [5, ['The old list counts 7 friends, of whom 1 are in the file: 6 give no points.']],
      [6, 'There is a space or a line break in this address. Please take it out.'],
      [
        8,
        [
          'The referrer is neither in the file nor in line: imported without one.',
          'The referral code cannot be kept: the member gets a new one.',
        ],
      ],
      [9, 'The row has more cells than the first line.'],
      [10, ['The row names itself as the referrer: imported without one.']],
    ]);
    await calls.apply(id);
    await app.expectWhole();
  });

  test('imported members get mail only where the operator says so', async () => {
    const silent = await calls.check('email\nsilent@example.com\n');
    await calls.apply(silent.id);
    expect(await isEmpty('mail_outbox')).toBe(true);
    const list = Array.from({ length: 600 }, (_, row) => `row${row}@example.com`);
    const welcomed = await checkLines(['email', ...list]);
    const input = { ...STATED, mail: 'welcome' };
    const { sentences } = (await calls.preview(welcomed.id, input)).json();
    expect(sentences).toContain('Each of them gets the mail "welcome" with their status link.');
    await calls.apply(welcomed.id, input);
    const queued = await sql(`
      select kind, count(*) as mails from (
        select kind from mail_outbox, unnest(member_ids)
        union all select data->>'kind' from pgboss.job where name = 'mail'
      ) mail group by kind`);
    expect(queued).toEqual([{ kind: 'welcome', mails: 600 }]);
  });

  test('confirmed is what the operator states', async () => {
    const { id } = await calls.check('email\nada@example.com\n');
    const { may_mail: _, ...unstated } = STATED;
    expect((await calls.apply(id, unstated)).statusCode).toBe(422);
    expect((await calls.apply(id, { ...STATED, may_mail: false })).statusCode).toBe(422);
    await calls.apply(id, { ...STATED, confirmed: false });
    expect((await readLine())[0]?.confirmed_at).toBeNull();
  });

  test('a referrer in line gets the credit, and loses it by the undo', async () => {
    const host = await app.join('host@example.com');
    const { id } = await checkLines([
      'email,referred_by',
      `by-code@example.com,${host.referral_code}`,
      'by-address@example.com,host@example.com',
    ]);
    const made = await applyTo(id);
    expect((await readLine())[0]).toMatchObject({ friends: 2 });
    expect(await undo(made.change)).toMatchObject({
      summary: '2 imported members left the line again.',
    });
    expect(await readLine()).toMatchObject([{ name: 'host', friends: 0 }]);
    expect(await undo(made.change)).toMatchObject({ status: 409 });
    await app.expectWhole();
  });

  test('what has changed since the check is judged again', async () => {
    const host = await app.join('host@example.com');
    const { id } = await checkLines([
      'email,referral_code,referred_by',
      'late@example.com,LATE000000,',
      'friend@example.com,,LATE000000',
      `orphan@example.com,,${host.referral_code}`,
    ]);
    await app.join('LATE@example.com');
    await change('erase-member', { member: host.id });
    expect(await applyTo(id)).toMatchObject({
      summary: '2 members joined from list.csv, 1 row of it was left out.',
    });
    expect(await readLine()).toMatchObject([
      { name: 'LATE', referrer: null, friends: 1 },
      { name: 'friend', referrer: 'LATE', friends: 0 },
      { name: 'orphan', referrer: null, friends: 0 },
    ]);
    await app.expectWhole();
  });

  const OPTIONS = { file: 'list.csv', isConfirmed: true, givesCredit: true, mail: null };

  /** The imports of another server, which calls `rest` between two pieces. */
  async function openServer(rest: () => Promise<void>, isStopping = () => false) {
    const { database, fastify } = app;
    const { log } = fastify;
    const own = await openEngine({ database, log, isStopping });
    const { imports } = openWalks({ database, secretKey: 'secret', engine: own }, rest);
    const begin = (id: string, goal: 'join' | 'leave') =>
      inTransaction(database, async (transaction) => {
        const state = goal === 'join' ? 'importing' : 'imported';
        await updateImport(transaction, id, { state });
        await imports.begin(transaction, id, beginRun(goal, { ...OPTIONS, rows: 1200 }));
      });
    const finish = async (id: string) => {
      const end = await imports.finish(id);
      return end && describeRun(end);
    };
    return { begin, finish };
  }

  test('people join between pieces that know of each other, and stay after an undo', async () => {
    const referrerOf = (row: number) => {
      if (row <= 100) return `row${row + 700}@example.com`;
      return row >= 1100 ? `row${row - 1000}@example.com` : '';
    };
    const list = Array.from(
      { length: 1200 },
      (_, row) => `row${row}@example.com,${referrerOf(row)}`,
    );
    const { id } = await checkLines(['email,referred_by', ...list]);
    const joined: number[] = [];
    let host: ImportedMember | undefined;
    const imports = await openServer(async () => {
      joined.push((await readLine()).length);
      await app.expectWhole();
      if (joined.length > 1) return;
      host = (await readLine())[5];
      await app.join('ROW800@example.com', host?.code);
      await app.join('guest@example.com');
    });
    await imports.begin(id, 'join');
    expect(await imports.finish(id)).toBe(
      '1,199 members joined from list.csv, 1 row of it was left out.',
    );
    expect(joined).toEqual([500, 1001]);

    const line = await readLine();
    const of = (name: string) => line.find((member) => member.name === name);
    expect(line.findIndex(({ name }) => name === 'guest')).toBe(501);
    expect(of('row0')).toMatchObject({ referrer: 'row700', credit: 'given' });
    expect(of('row700')).toMatchObject({ friends: 1 });
    expect(of('row100')).toMatchObject({ referrer: 'ROW800', friends: 1 });
    expect(of('row1100')).toMatchObject({ referrer: 'row100', credit: 'given' });
    await app.expectWhole();
    const due = await sql(`
      select split_part(email, '@', 1) as name
      from notification_due join member on id = member_id order by email`);
    expect(due).toEqual([{ name: 'ROW800' }, { name: host?.name }]);

    await imports.begin(id, 'leave');
    expect(await imports.finish(id)).toBe(
      '1,198 imported members left the line again. ' +
        '1 member stayed: friends have joined by them since.',
    );
    // Their own inviter has left with the list.
    expect(await readLine()).toMatchObject([
      { name: host?.name, referrer: null, friends: 1, invited: true },
      { name: 'ROW800', referrer: host?.name, friends: 0, invited: true },
      { name: 'guest', referrer: null, friends: 0, invited: false },
    ]);
    await app.expectWhole();
  });

  test('an import that stops goes on where it was, and one that is undone stops', async () => {
    const list = Array.from({ length: 1200 }, (_, row) => `row${row}@example.com`);
    const { id } = await checkLines(['email', ...list]);
    let isStopping = false;
    const stopped = await openServer(
      async () => {
        isStopping = true;
      },
      () => isStopping,
    );
    await stopped.begin(id, 'join');
    expect(await stopped.finish(id)).toBeNull();
    expect(await readLine()).toHaveLength(500);
    const [first] = await sql('select id from member order by sequence limit 1');
    expect(await change('remove-members', { member_ids: [first?.id] })).toMatchObject({
      status: 201,
    });

    const joined: number[] = [];
    const next = await openServer(async () => {
      joined.push((await readLine()).length);
      await next.begin(id, 'leave');
    });
    expect(await next.finish(id)).toBe('999 imported members left the line again.');
    expect(joined).toEqual([999]);
    expect(await readLine()).toEqual([]);
  });

  describe('of an export', () => {
    async function importAll(file: Buffer | string): Promise<void> {
      const { id } = await calls.check(file);
      expect((await calls.apply(id)).statusCode).toBe(201);
      await app.expectWhole();
    }
    async function exportAll(separator = ','): Promise<Buffer> {
      const query = new URLSearchParams({ format: 'csv', separator });
      return (await app.get(`${operatorPaths.exportMembers}?${query}`)).rawPayload;
    }
    async function read(file: Buffer): Promise<Row[]> {
      const records: (readonly string[])[] = [];
      async function* bytes() {
        yield file;
      }
      for await (const { cells } of readCsv(bytes(), { encoding: 'utf-8', separator: ',' }))
        records.push(cells);
      const [names = [], ...rows] = records;
      return rows.map((cells) =>
        Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])),
      );
    }

    test('bring back every column but the id', async () => {
      await importAll([FIELDS.split(','), ...ROWS].map((cells) => csvLine(cells)).join(''));
      const [file, forExcel] = [await exportAll(), await exportAll(';')];
      const first = await read(file);
      const members = ROWS.slice(0, -1).map((row) =>
        Object.fromEntries(FIELDS.split(',').map((name, at) => [name, row[at]])),
      );
      expect(first).toHaveLength(members.length);
      expect(first).toEqual(
        expect.arrayContaining(members.map((row) => expect.objectContaining(row))),
      );
      expect(first[0]).toMatchObject({ position: '1', points: '5', referral_count: '1' });
      await empty();
      await importAll(forExcel);
      const withoutId = (rows: readonly Row[]) => rows.map(({ id: _, ...row }) => row);
      expect(withoutId(await read(await exportAll()))).toEqual(withoutId(first));
    });

    test.each(listOldLines())('of %s, before the first release, keep the line', async (commit) => {
      const { csv } = readOldLine(commit);
      await importAll(csv);
      const [old, now] = [await read(Buffer.from(csv)), await read(await exportAll())];
      expect(old.length).toBeGreaterThan(10);
      const standing = (rows: readonly Row[]) =>
        rows.map(({ position, email, referral_code, referred_by, referral_count }) => [
          position,
          email,
          referral_code,
          referred_by,
          referral_count,
        ]);
      expect(standing(now)).toEqual(standing(old));
    });
  });
});

type ImportedMember = {
  readonly name: string;
  readonly code: string;
  readonly referrer: string | null;
  readonly credit: string;
  readonly invited: boolean;
  readonly joined_at: Date;
  readonly confirmed_at: Date | null;
  readonly friends: number;
};

/** An export is imported into an empty line, which is then exported again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { csvLine } from '../../server/csv/csv-rules.ts';
import { readCsv } from '../../server/csv/read-csv.ts';
import { listOldLines, readOldLine } from '../support/before-baseline.ts';
import { oneEngine } from '../support/engines.ts';
import { emptyLine, expectWholeLine, type ImportCalls, openImportCalls } from './import-calls.ts';
import { openTestApp, type TestApp } from './test-app.ts';

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

describe.each(oneEngine)('an export on %s', (engine) => {
  let app: TestApp;
  let calls: ImportCalls;
  beforeAll(async () => {
    app = await openTestApp(engine);
    calls = openImportCalls(app);
  });
  afterAll(() => app.remove());

  async function importAll(file: Buffer | string): Promise<void> {
    await emptyLine(app);
    await app.database.runSql(`
      delete from mail_suppression; delete from credit_case; delete from source where id > 1`);
    const { id } = await calls.check(file);
    expect((await calls.apply(id)).statusCode).toBe(201);
    await expectWholeLine(app);
  }

  async function exportAll(): Promise<Buffer> {
    return (await calls.call('GET', `${operatorPaths.exportMembers}?format=csv`)).rawPayload;
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

  test('comes back with every column but the id', async () => {
    await importAll([FIELDS.split(','), ...ROWS].map(csvLine).join(''));
    const file = await exportAll();
    const first = await read(file);
    const members = ROWS.slice(0, -1).map((row) =>
      Object.fromEntries(FIELDS.split(',').map((name, at) => [name, row[at]])),
    );
    expect(first).toHaveLength(members.length);
    expect(first).toEqual(
      expect.arrayContaining(members.map((row) => expect.objectContaining(row))),
    );
    expect(first[0]).toMatchObject({ position: '1', points: '5', referral_count: '1' });
    await importAll(file);
    const withoutId = (rows: readonly Row[]) => rows.map(({ id: _, ...row }) => row);
    expect(withoutId(await read(await exportAll()))).toEqual(withoutId(first));
  });

  test.each(listOldLines())(
    'of %s, from before the first release, keeps the line',
    async (commit) => {
      const { csv } = readOldLine(commit);
      await importAll(csv);
      const [old, now] = [await read(Buffer.from(csv)), await read(await exportAll())];
      expect(old.length).toBeGreaterThan(10);
      const standing = (rows: readonly Row[]) =>
        rows.map(({ position, email, referral_code, referred_by, referral_count }) => ({
          ...{ position, email, referral_code, referred_by, referral_count },
        }));
      expect(standing(now)).toEqual(standing(old));
    },
  );
});

/** What is kept of where a join came from: nothing that names a network or a browser. */
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { apiPaths } from '../../../contract/paths.ts';
import { oneEngine } from '../../support/engines.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from '../test-app.ts';

const DEFAULTS = { isLimiting: true, trustProxy: ['127.0.0.1'] };
const OPERATOR = { authorization: `Bearer ${OPERATOR_TOKEN}` };
/** At the end of a backup file. */
const CHECKSUM_BYTES = 32;

let app: TestApp;
afterEach(() => app.remove());

describe.each(oneEngine)('on %s', (engine) => {
  test('no table, log, backup or export has a network, or what a browser tells', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    app = await openTestApp(engine, DEFAULTS, log);
    const agent = 'A browser that nobody else has/9.7';
    const ips = ['198.51.100.77', '2001:db8:77:1:2:3:4:5'];
    for (const [n, ip] of ips.entries())
      await app.fastify.inject({
        method: 'POST',
        url: apiPaths.join,
        headers: { 'x-forwarded-for': ip, 'user-agent': agent, 'accept-language': 'xx-tongue' },
        payload: { email: `member${n}@example.com` },
      });
    await app.flushCounters();
    const { rows } = await app.database.runSql(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    const tables = (rows as { name: string }[]).map(({ name }) => name);
    expect(tables).toContain('join_trace');
    expect(lines.join()).toContain(apiPaths.join);
    let text = '';
    for (const name of tables) {
      const table = await app.database.runSql(
        `select coalesce(json_agg(one), '[]')::text as rows from ${name} one`,
      );
      text += (table.rows as { rows: string }[])[0]?.rows;
    }
    const download = async (url: string) => {
      const answer = await app.fastify.inject({ url, headers: OPERATOR });
      expect(answer.statusCode).toBe(200);
      return answer.rawPayload;
    };
    const exportAs = async (format: string) =>
      (await download(`${operatorPaths.exportMembers}?format=${format}`)).toString();
    const backup = await download(operatorPaths.backup);
    const parts = [
      text,
      await exportAs('csv'),
      await exportAs('json'),
      gunzipSync(backup.subarray('waitlist-backup 1\n'.length, -CHECKSUM_BYTES)).toString(),
    ];
    for (const part of parts) expect(part).toContain('member0@example.com');
    const secrets = [...ips, '198.51.100', '2001:db8', agent, 'xx-tongue'];
    expect(secrets.filter((secret) => [...lines, ...parts].join().includes(secret))).toEqual([]);
  });

  test('a member who leaves leaves no trace', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const { id } = await app.join('member@example.com');
    await app.flushCounters();
    const count = async () => {
      const { rows } = await app.database.runSql('select count(*)::integer as n from join_trace');
      return rows;
    };
    expect(await count()).toEqual([{ n: 1 }]);
    await app.database.kysely.deleteFrom('standing').where('member_id', '=', id).execute();
    await app.database.kysely.deleteFrom('member').where('id', '=', id).execute();
    expect(await count()).toEqual([{ n: 0 }]);
  });
});

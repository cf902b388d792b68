/** What is stored of where a join came from: nothing that names a network or a browser. */
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths } from '../../contract/paths.ts';
import type { App } from '../../server/app.ts';
import { deleteOldTraces } from '../../server/fairness/traces/trace-store.ts';
import { captureLog } from '../support/captured-log.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { oneEngine } from '../support/engines.ts';
import { isAll } from '../support/test-form.ts';
import { provideApp } from './provide-app.ts';

const BEHIND_PROXY = { isLimiting: true, trustProxy: ['127.0.0.1'] };
/** At the end of a backup file. */
const CHECKSUM_BYTES = 32;

describe.each(oneEngine)('the network of a join on %s', (engine) => {
  const log = captureLog();
  const app = provideApp(engine, BEHIND_PROXY, log.logger);
  const { sql } = app;
  const join = async (email: string, ip: string, on: App = app, more = {}) => {
    const headers = { 'x-forwarded-for': ip, ...more };
    const answer = await app.ask('POST', apiPaths.join, { email }, headers, on);
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json().id as string;
  };
  const networkOf = async (id: string) =>
    (await sql('select network from join_trace where member_id = $1', [id]))[0]?.network;
  const countOf = async (table: string) => (await sql(`select from ${table}`)).length;

  test('is in no table, log, backup or export, nor is what a browser tells', async () => {
    const agent = 'A browser that nobody else has/9.7';
    const ips = ['198.51.100.77', '2001:db8:77:1:2:3:4:5'];
    const told = { 'user-agent': agent, 'accept-language': 'xx-tongue' };
    for (const [n, ip] of ips.entries()) await join(`member${n}@example.com`, ip, app, told);
    await app.flushCounters();
    expect(await countOf('join_trace')).toBeGreaterThan(1);
    expect(log.text()).toContain(apiPaths.join);
    const download = async (url: string) => {
      const answer = await app.get(url);
      expect(answer.statusCode).toBe(200);
      return answer.rawPayload;
    };
    const backup = await download(operatorPaths.backup);
    const parts = [
      (await dumpDatabase(app.database)).text,
      String(await download(`${operatorPaths.exportMembers}?format=csv`)),
      String(await download(`${operatorPaths.exportMembers}?format=json`)),
      gunzipSync(backup.subarray('waitlist-backup 1\n'.length, -CHECKSUM_BYTES)).toString(),
    ];
    for (const part of parts) expect(part).toContain('member0@example.com');
    const secrets = [...ips, '198.51.100', '2001:db8', agent, 'xx-tongue'];
    const all = [log.text(), ...parts].join();
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
  });

  test('leaves with its member', async () => {
    const id = await join('leaving@example.com', '203.0.113.50');
    await app.flushCounters();
    expect(await networkOf(id)).toEqual(expect.any(Number));
    for (const [table, column] of [
      ['standing', 'member_id'],
      ['member', 'id'],
    ])
      await sql(`delete from ${table} where ${column} = $1`, [id]);
    expect(await networkOf(id)).toBeUndefined();
  });

  test.runIf(isAll)('has one hash on all servers, until the key changes', async () => {
    // The app of the tests around this one may keep a key that another test has deleted.
    const [first, other] = [await app.openAnother(), await app.openAnother()];
    const traceOf = async (name: string, ip: string, on: App = first) =>
      await networkOf(await join(`${name}@example.com`, ip, on));
    const home = await traceOf('ada', '203.0.113.9');
    expect(await traceOf('bo', '203.0.113.9', other)).toBe(home);
    expect(await traceOf('cleo', '203.0.113.10')).not.toBe(home);
    await sql(`update trace_key set created_at = created_at - interval '31 days'`);
    const later = await app.openAnother();
    expect(await traceOf('dan', '203.0.113.9', later)).not.toBe(home);
    for (const server of [first, other, later]) await server.close();
  });

  test.runIf(isAll)('goes after 30 days, and the key of its hash after 60', async () => {
    await sql('delete from join_trace; delete from trace_key');
    const server = await app.openAnother();
    const id = await join('old@example.com', '203.0.113.9', server);
    await server.close();
    const counts = async () => [await countOf('join_trace'), await countOf('trace_key')];
    await deleteOldTraces(app.database);
    expect(await counts()).toEqual([1, 1]);
    const hex = (Date.now() - 31 * 24 * 3_600_000).toString(16).padStart(12, '0');
    const old = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
    await sql('update join_trace set member_id = $1 where member_id = $2', [old, id]);
    await sql(`update trace_key set created_at = created_at - interval '61 days'`);
    await deleteOldTraces(app.database);
    expect(await counts()).toEqual([0, 0]);
  });
});

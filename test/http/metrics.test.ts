/** What /metrics prints, and what is made of it: the table, the alerts and the dashboard. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordBackup } from '../../server/backup/last-backup.ts';
import { readCommit } from '../../server/version.ts';
import { oneEngine } from '../support/engines.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const ALERTS = 'deploy/prometheus-alerts.yaml';
const DASHBOARD = 'deploy/grafana-dashboard.json';

async function readMetrics(app: TestApp): Promise<string> {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  return (await app.fastify.inject({ url: '/metrics', headers })).payload;
}

/** The value of a metric, with its labels as printed; undefined when it is not there. */
function metricOf(metrics: string, name: string): number | undefined {
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

describe.each(oneEngine)('the metrics of a server on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine, { smtpUrl: 'smtp://127.0.0.1:9', mailRate: 0.1 });
  });
  afterAll(() => app.remove());

  test('tell of the line, the mail, the database and the program', async () => {
    for (const name of ['ada', 'grace', 'mary']) await app.join(`${name}@example.com`);
    const metrics = await readMetrics(app);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const labels = `version="${version}",commit="${readCommit()}",engine="${engine}"`;
    expect(metricOf(metrics, `waitlist_info{${labels}}`)).toBe(1);
    expect(metricOf(metrics, 'waitlist_members')).toBe(3);
    expect(metricOf(metrics, 'waitlist_masks_available')).toBe(100);
    expect(metricOf(metrics, 'waitlist_offers_open')).toBe(0);
    expect(metricOf(metrics, 'waitlist_passes_given')).toBe(0);
    expect(metricOf(metrics, 'waitlist_database_up')).toBe(1);
    expect(metricOf(metrics, 'waitlist_mails_waiting')).toBeGreaterThan(0);
    expect(metricOf(metrics, 'waitlist_oldest_mail_seconds')).toBeGreaterThan(0);
    expect(metricOf(metrics, 'waitlist_oldest_mail_seconds')).toBeLessThan(600);
    const pool = ['in_use', 'idle', 'waiting'].map((state) =>
      metricOf(metrics, `waitlist_database_connections{state="${state}"}`),
    );
    if (engine === 'embedded') expect(pool).toEqual([undefined, undefined, undefined]);
    else expect((pool[0] ?? 0) + (pool[1] ?? 0)).toBeGreaterThanOrEqual(1);
  });

  test('tell when the last good backup was, and whether the last one failed', async () => {
    const backup = async () => {
      const metrics = await readMetrics(app);
      return ['timestamp_seconds', 'success'].map((end) =>
        metricOf(metrics, `waitlist_last_backup_${end}`),
      );
    };
    expect(await backup()).toEqual([0, 0]);
    const before = Date.now() / 1000;
    await recordBackup(app.config.dataDir, { isSuccess: true });
    const [succeededAt, isSuccess] = await backup();
    expect(succeededAt).toBeGreaterThanOrEqual(before);
    expect(isSuccess).toBe(1);
    await recordBackup(app.config.dataDir, { isSuccess: false });
    expect(await backup()).toEqual([succeededAt, 0]);
  });

  test('are those of the table in watch.md', async () => {
    const metrics = await readMetrics(app);
    const printed = [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
      /^(process|nodejs)_/.test(name ?? '') ? [] : [`${name} ${type}`],
    );
    const table = readFileSync('docs/watch.md', 'utf8').match(/^\| `(waitlist|http|share)_.*$/gm);
    const rows = (table ?? []).map((row) => row.split('|').map((cell) => cell.trim()));
    const listed = rows
      .filter((row) => engine === 'postgres' || !row[3]?.includes('PostgreSQL only'))
      .map(([, name, type]) => `${name?.replaceAll('`', '')} ${type}`);
    expect(printed.length).toBeGreaterThan(10);
    expect(listed.toSorted()).toEqual(printed.toSorted());
  });

  test.runIf(engine === 'postgres')('have all that alerts and dashboard ask for', async () => {
    const metrics = await readMetrics(app);
    const names = [...metrics.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name);
    const rules = readFileSync(ALERTS, 'utf8');
    const alerts = rules.match(/(?<=expr: )[\s\S]*?(?=\n\s*(?:for|labels):)/g) ?? [];
    const panels = JSON.stringify(JSON.parse(readFileSync(DASHBOARD, 'utf8')));
    const queries = [...panels.matchAll(/"expr":"((?:[^"\\]|\\.)*)"/g)].map(([, expr]) => expr);
    expect(Math.min(alerts.length, queries.length)).toBeGreaterThan(8);
    const asked = [...alerts, ...queries].flatMap(
      (query) => query?.match(/\b(?:waitlist|http|share|process|nodejs)_\w+/g) ?? [],
    );
    const unknown = asked.filter(
      (name) => !names.includes(name) && !names.includes(name.replace(/_(bucket|count|sum)$/, '')),
    );
    expect(asked.length).toBeGreaterThan(15);
    expect(unknown).toEqual([]);
  });
});

test('metrics leave out what only the database knows while it is away', async () => {
  const app = await openTestApp('postgres');
  await app.database.close();
  const metrics = await readMetrics(app);
  expect(metricOf(metrics, 'waitlist_database_up')).toBe(0);
  expect(metricOf(metrics, 'waitlist_members')).toBeUndefined();
  expect(metricOf(metrics, 'waitlist_oldest_mail_seconds')).toBeUndefined();
  expect(metricOf(metrics, 'http_requests_under_way')).toBe(1);
  await app.remove();
});

/** What /metrics prints, and what is made of it: the table, the alerts and the dashboard. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { recordBackup } from '../../server/backup/last-backup.ts';
import { readCommit } from '../../server/version.ts';
import { oneEngine } from '../support/engines.ts';
import { provideApp } from './provide-app.ts';

/** The value of a metric, with its labels as printed; undefined when it is not there. */
function metricOf(metrics: string, name: string): number | undefined {
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

describe.each(oneEngine)('the metrics of a server on %s', (engine) => {
  const app = provideApp(engine, { smtpUrl: 'smtp://127.0.0.1:9', mailRate: 0.1 });
  const readMetrics = async () => (await app.get('/metrics')).payload;

  test('tell of the line, the mail, the database and the program', async () => {
    await app.joinGhosts(3);
    const metrics = await readMetrics();
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const labels = `version="${version}",commit="${readCommit()}",engine="${engine}"`;
    for (const [name, value] of [
      [`info{${labels}}`, 1],
      ['members', 3],
      ['masks_available', 100],
      ['offers_open', 0],
      ['passes_given', 0],
      ['database_up', 1],
    ] as const)
      expect([name, metricOf(metrics, `waitlist_${name}`)]).toEqual([name, value]);
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
      const metrics = await readMetrics();
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
    const metrics = await readMetrics();
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
    const metrics = await readMetrics();
    const names = [...metrics.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name);
    const rules = readFileSync('deploy/prometheus-alerts.yaml', 'utf8');
    const alerts = rules.match(/(?<=expr: )[\s\S]*?(?=\n\s*(?:for|labels):)/g) ?? [];
    const dashboard = readFileSync('deploy/grafana-dashboard.json', 'utf8');
    const panels = JSON.stringify(JSON.parse(dashboard));
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

describe('the metrics of a server whose database is away', () => {
  const app = provideApp('postgres');

  test('leave out what only the database knows', async () => {
    await app.database.close();
    const metrics = (await app.get('/metrics')).payload;
    expect(metricOf(metrics, 'waitlist_database_up')).toBe(0);
    expect(metricOf(metrics, 'waitlist_members')).toBeUndefined();
    expect(metricOf(metrics, 'waitlist_oldest_mail_seconds')).toBeUndefined();
    expect(metricOf(metrics, 'http_requests_under_way')).toBe(1);
  });
});

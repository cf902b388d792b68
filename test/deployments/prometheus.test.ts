/**
 * deploy/prometheus-alerts.yaml in a real Prometheus, beside a server that idles and then breaks.
 * A minute of the rules is a second here.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { startPostgres } from '../support/postgres-server.ts';
import { freePort, startServer } from '../support/server-process.ts';
import { findMissing, findProgram, testUnless } from './programs.ts';

const IDLE_MS = 30_000;
const DEADLINE_MS = 60_000;
/** A new server has no backup yet, and is told so. */
const OF_A_NEW_SERVER = 'WaitlistBackupOld';

async function startPrometheus(folder: string, target: string, tokenFile: string) {
  const port = await freePort();
  const rules = readFileSync('deploy/prometheus-alerts.yaml', 'utf8');
  const quick = rules.replace(/\b(\d+)m\b/g, '$1s').replace(/\[(\d+)h\]/g, '[$1m]');
  writeFileSync(join(folder, 'rules.yaml'), quick);
  writeFileSync(
    join(folder, 'prometheus.yaml'),
    `global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [rules.yaml]
scrape_configs:
  - job_name: waitlist
    authorization: { credentials_file: ${tokenFile} }
    static_configs: [{ targets: ["${target}"] }]
`,
  );
  const url = `http://127.0.0.1:${port}`;
  const words = [
    `--config.file=${folder}/prometheus.yaml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn(findProgram('prometheus') ?? '', words, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const ask = async (path: string) => (await (await fetch(url + path)).json()).data;
  return {
    async readFiring(): Promise<string[]> {
      const { alerts } = await ask('/api/v1/alerts');
      const firing = alerts.filter(({ state }: { state: string }) => state === 'firing');
      return firing.map(({ labels }: { labels: { alertname: string } }) => labels.alertname);
    },
    async isScraping(): Promise<boolean> {
      const { activeTargets } = await ask('/api/v1/targets').catch(() => ({ activeTargets: [] }));
      return activeTargets[0]?.health === 'up';
    },
  };
}

testUnless(
  'alerts are quiet while a server idles, and fire when it breaks',
  findMissing('prometheus'),
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waitlist-prometheus-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const dataDir = join(folder, 'server');
    const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: postgres.url });
    onTestFinished(() => server.kill());
    const target = new URL(server.url).host;
    const prometheus = await startPrometheus(folder, target, join(dataDir, 'operator-token'));
    const until = { timeout: DEADLINE_MS, interval: 500 };
    await vi.waitFor(async () => expect(await prometheus.isScraping()).toBe(true), until);

    const seen = new Set<string>();
    for (const end = Date.now() + IDLE_MS; Date.now() < end; await delay(500))
      for (const name of await prometheus.readFiring()) seen.add(name);
    expect([...seen]).toEqual([OF_A_NEW_SERVER]);

    const untilFiring = (name: string) =>
      vi.waitFor(async () => expect(await prometheus.readFiring()).toContain(name), until);
    await postgres.stop();
    await untilFiring('WaitlistDatabaseAway');
    await server.kill();
    await untilFiring('WaitlistDown');
  },
);

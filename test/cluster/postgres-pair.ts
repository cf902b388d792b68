/** A PostgreSQL primary with a synchronous standby. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { installPostgres, type PostgresProcess } from '../support/postgres-installation.ts';
import { freePort } from '../support/server-process.ts';
import { withClient } from '../support/with-client.ts';
import { copyRunning } from './base-copy.ts';

/** One of the two servers, in either role. */
type Side = { readonly name: 'one' | 'two'; readonly port: number; readonly url: string };

export type PostgresPair = Awaited<ReturnType<typeof startPostgresPair>>;

type Settings = Readonly<Record<string, string | number>>;
/** Enough WAL for a standby that returns. */
const SETTINGS: Settings = { max_connections: 200, wal_keep_size: '256MB' };
const DEADLINE_MS = 60_000;

/** Starts both, with the same empty database. */
export async function startPostgresPair(settings: Settings = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-pair-'));
  chmodSync(folder, 0o755);
  const installation = installPostgres(folder);
  const dataDirOf = ({ name }: Side) => join(folder, name);
  const password = installation.initialize(join(folder, 'one'));
  const sides = [await newSide('one', password), await newSide('two', password)] as const;
  const running = new Map<Side, PostgresProcess>();
  let primary: Side = sides[0];
  const standby = () => (primary === sides[0] ? sides[1] : sides[0]);

  async function start(side: Side, own: Settings = {}): Promise<void> {
    const { port } = side;
    const all = { ...SETTINGS, ...settings, ...own };
    running.set(
      side,
      await installation.start({ dataDir: dataDirOf(side), port, password, settings: all }),
    );
  }

  async function rejoin(): Promise<void> {
    const side = standby();
    const dataDir = dataDirOf(side);
    rmSync(dataDir, { recursive: true, force: true });
    await copyRunning(primary.url, dataDirOf(primary), dataDir);
    // The copied setting names this side: once promoted, it would wait for itself.
    writeFileSync(join(dataDir, 'postgresql.auto.conf'), '');
    writeFileSync(join(dataDir, 'standby.signal'), '');
    installation.adopt(dataDir);
    const from =
      `host=127.0.0.1 port=${primary.port} user=postgres password=${password} ` +
      `application_name=${side.name}`;
    await start(side, { primary_conninfo: from });
    await untilTrue(
      primary,
      `select exists (select from pg_stat_replication where state = 'streaming')`,
    );
    await waitFor(primary, side.name);
    await untilTrue(
      primary,
      `select exists (select from pg_stat_replication where sync_state = 'sync')`,
    );
  }

  await start(primary);
  await rejoin();
  return {
    sides,
    primary: () => primary,
    /** SIGSTOP to the WAL sender: the standby gets nothing that the primary writes from now on. */
    async stallSending() {
      process.kill(
        Number(await ask(primary, 'select pid as answer from pg_stat_replication')),
        'SIGSTOP',
      );
    },
    /** SIGKILL to all its processes. */
    killPrimary: async () => running.get(primary)?.kill(),
    killStandby: async () => running.get(standby())?.kill(),
    /** Makes the standby the primary, without a standby of its own. */
    async promote() {
      await ask(standby(), `select pg_promote(true, ${DEADLINE_MS / 1000}) as answer`);
      primary = standby();
    },
    /** Lets the primary commit without the standby. */
    goOnAlone: () => waitFor(primary, ''),
    /** Makes the dead side a synchronous standby again, from a new copy. */
    rejoin,
    /** Kills both and deletes their data. */
    async remove() {
      for (const each of running.values()) await each.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

async function newSide(name: Side['name'], password: string): Promise<Side> {
  const port = await freePort();
  return { name, port, url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` };
}

/** Sets the standby that each commit waits for; empty for none. */
async function waitFor(primary: Side, name: string): Promise<void> {
  await ask(primary, `alter system set synchronous_standby_names = '${name}'`);
  await ask(primary, 'select pg_reload_conf() as answer');
}

async function untilTrue(side: Side, question: string): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await ask(side, `${question} as answer`))) {
    if (Date.now() > deadline) throw new Error(`${side.name} still says no to: ${question}`);
    await delay(50);
  }
}

async function ask({ url }: Side, question: string): Promise<unknown> {
  return await withClient(url, async (client) => {
    client.on('error', () => {});
    return (await client.query(question)).rows[0]?.answer;
  });
}

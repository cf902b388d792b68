/** What a server costs while nobody comes, and what a thousand joins cost. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../server/db/open.ts';
import { startServer } from '../../test/support/server-process.ts';
import type { Place } from '../floor-process.ts';
import { measure } from '../load/measure.ts';
import { childrenOf, findPostmaster, memoryBytes, watchProcessors } from '../load/processor-time.ts';
import { writeSample } from '../members/read-sample.ts';
import { generate } from '../sized-databases.ts';
import { type Bench, TARGET_IN_FLIGHT } from './part.ts';
import { settingsOf } from './speed.ts';

export type CostFigures = {
  readonly idleSeconds: number;
  readonly rows: readonly CostRow[];
};

type CostRow = {
  readonly what: string;
  readonly members: number;
  /** Null where the machine does not tell. */
  readonly idleMemoryBytes: number | null;
  readonly idleDatabaseMemoryBytes: number | null;
  /** Shares of one processor. */
  readonly idleServer: number | null;
  readonly idleDatabase: number | null;
  readonly databaseBytes: number;
  readonly joins: ThousandJoins | null;
};

type ThousandJoins = {
  readonly perSecond: number;
  readonly serverMs: number | null;
  readonly databaseMs: number | null;
  /** Of the server and its database, when the joins are over. */
  readonly memoryBytes: number | null;
  /** With the kept answers and the queued mails of a thousand. */
  readonly databaseBytes: number;
  readonly joined: number;
  /** Shares of one processor while the mails that they have queued leave at the default rate and nobody asks. */
  readonly mailingServer: number | null;
  readonly mailingDatabase: number | null;
};

const SETTLE_MS = 5_000;
const IDLE_SECONDS = 10;
const JOIN_SECONDS = 8;

export async function benchCost(bench: Bench): Promise<CostFigures> {
  const { members, embeddedMembers } = bench.options;
  const postgres = await bench.postgres();
  const embedded = (name: string) => ({ dataDir: join(bench.folder, name), databaseUrl: null });
  const rows = [
    await costOf('embedded', embedded('cost-empty'), 0),
    await costOf('embedded', await generate(embedded('cost-embedded'), embeddedMembers), embeddedMembers),
    await costOf('PostgreSQL', await postgres.createEmpty('cost-empty-postgres'), 0),
  ];
  const sized = await postgres.copyOf(members);
  rows.push(await costOf('PostgreSQL', sized, members));
  await postgres.drop(sized);
  return { idleSeconds: IDLE_SECONDS, rows };
}

async function costOf(what: string, place: Place, members: number): Promise<CostRow> {
  const filled = members === 0 ? null : { sampleFile: await writeSample(place), ...(await readSize(place)) };
  const server = await startServer(settingsOf(place));
  const postmaster = place.databaseUrl === null ? null : await findPostmaster(place.databaseUrl);
  const watch = watchProcessors({ pid: server.pid, postmaster });
  const readDatabaseMemory = () => (postmaster === null ? null : memoryBytes([postmaster, ...childrenOf(postmaster)]));
  async function readShares(): Promise<{ server: number | null; database: number | null }> {
    await pause(SETTLE_MS);
    const before = watch.read();
    await pause(IDLE_SECONDS * 1000);
    const after = watch.read();
    return {
      server: shareOfIdle(before.serverMs, after.serverMs),
      database: shareOfIdle(before.databaseMs, after.databaseMs),
    };
  }
  const shares = await readShares();
  const idle = {
    idleMemoryBytes: memoryBytes([server.pid]),
    idleDatabaseMemoryBytes: readDatabaseMemory(),
    idleServer: shares.server,
    idleDatabase: shares.database,
  };
  if (filled === null) {
    await server.stop();
    return { what, members, ...idle, databaseBytes: (await readSize(place)).bytes, joins: null };
  }

  const port = Number(new URL(server.url).port);
  const { sampleFile } = filled;
  const loop = { kind: 'join', port, inFlight: TARGET_IN_FLIGHT, seconds: JOIN_SECONDS, sampleFile } as const;
  const measured = await measure(loop, watch);
  const memoryAfter = sum(memoryBytes([server.pid]), readDatabaseMemory());
  const mailing = await readShares();
  await server.stop();
  const grown = await readSize(place);
  const joined = grown.total - filled.total;
  const joins = {
    perSecond: measured.perSecond,
    // Microseconds a join are milliseconds a thousand.
    serverMs: measured.serverUs,
    databaseMs: measured.databaseUs,
    memoryBytes: memoryAfter,
    databaseBytes: ((grown.bytes - filled.bytes) / joined) * 1000,
    joined,
    mailingServer: mailing.server,
    mailingDatabase: mailing.database,
  };
  return { what, members, ...idle, databaseBytes: filled.bytes, joins };
}

function shareOfIdle(fromMs: number | null, toMs: number | null): number | null {
  return fromMs === null || toMs === null ? null : (toMs - fromMs) / (IDLE_SECONDS * 1000);
}

async function readSize(place: Place): Promise<{ bytes: number; total: number }> {
  const database = await openDatabase({ ...place, log: () => {}, asItIs: true });
  const { rows } = await database.runSql(
    `select pg_database_size(current_database())::float8 as bytes,
            coalesce((select total::float8 from line_state), 0) as total`,
  );
  await database.close();
  return rows[0] as { bytes: number; total: number };
}

function sum(one: number | null, other: number | null): number | null {
  return one === null ? null : one + (other ?? 0);
}

/** What an idle server costs, and what a thousand joins cost. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Place, startProduct, thisCheckout, writeSample } from '../checkout.ts';
import { databaseBytes } from '../database-bytes.ts';
import { type Measured, measure } from '../load/closed-loop.ts';
import {
  childrenOf,
  findPostmaster,
  memoryBytes,
  processorUs,
  processorUsOfFamily,
} from '../load/processor-time.ts';
import { megabytes, orDash, percent, table, whole } from '../report/markdown.ts';
import { fillPlaces } from './filled-places.ts';
import { type Part, TARGET_IN_FLIGHT } from './part.ts';

type CostRow = {
  readonly engine: string;
  readonly members: number;
  /** Null where the machine does not tell. */
  readonly idle: Usage;
  readonly databaseBytes: number;
  /** Null without members. */
  readonly joins: (Measured & { readonly bytesEach: number; readonly after: Usage }) | null;
};

/** Memory in bytes; processors as shares of one. */
type Usage = Readonly<
  Record<'serverMemory' | 'databaseMemory' | 'serverProcessor' | 'databaseProcessor', number | null>
>;

export type CostFigures = { readonly rows: readonly CostRow[] };

const SETTLE_MS = 5_000;
const USAGE_SECONDS = 8;
const JOIN_SECONDS = 8;

export const costPart: Part<CostFigures> = {
  name: 'cost',
  async measure(bench) {
    const { members, embeddedMembers, postgres, embedded, filled, sized } = await fillPlaces(bench);
    const rows = [
      await costOf('embedded', embedded('empty'), 0),
      await costOf('embedded', filled, embeddedMembers),
      await costOf('PostgreSQL', await postgres.createEmpty('cost-empty'), 0),
      await costOf('PostgreSQL', sized, members),
    ];
    await postgres.drop(sized);
    return { rows };
  },
  report({ rows }) {
    const usage = ({ serverMemory, databaseMemory, serverProcessor, databaseProcessor }: Usage) => [
      orDash(serverMemory, megabytes),
      orDash(databaseMemory, megabytes),
      orDash(serverProcessor, percent),
      orDash(databaseProcessor, percent),
    ];
    const usageHead = ['server memory', 'PostgreSQL memory', 'server', 'PostgreSQL'];
    const idle = rows.map(({ engine, members, idle, databaseBytes }) => [
      engine,
      whole(members),
      ...usage(idle),
      megabytes(databaseBytes),
    ]);
    const joins = rows.flatMap(({ engine, members, joins }) =>
      joins === null
        ? []
        : [
            [
              engine,
              whole(members),
              whole(joins.perSecond),
              // Microseconds a join are milliseconds a thousand.
              orDash(joins.serverUs, whole),
              orDash(joins.databaseUs, whole),
              megabytes(joins.bytesEach * 1000),
              ...usage(joins.after),
            ],
          ],
    );
    const processorHead = ['server ms', 'PostgreSQL ms'];
    const joinHead = ['per 1,000 joins', 'members', 'a second', ...processorHead, 'database'];
    return `## Cost

An idle server over ${USAGE_SECONDS} s: memory is the proportional set size (shared memory is
divided among its processes), processor time a share of one processor. PostgreSQL's memory is that
of all its processes. On the embedded engine the server is the database.

${table(['idle', 'members', ...usageHead, 'database'], idle)}

A thousand joins at ${TARGET_IN_FLIGHT} in flight, half of them invited. Bytes include the queued
mails, which go again. The last four columns are the usage after the joins,
while the queued mails leave at the default rate of 10 a second and nobody asks anything.

${table([...joinHead, ...usageHead], joins)}`;
  },
};

async function costOf(engine: string, place: Place, members: number): Promise<CostRow> {
  const sampleFile = members === 0 ? null : await writeSample(thisCheckout, place);
  const bytesBefore = members === 0 ? 0 : await databaseBytes(place);
  const server = await startProduct(thisCheckout, place);
  const postmaster = place.databaseUrl === null ? null : await findPostmaster(place.databaseUrl);
  const idle = await readUsage(server.pid, postmaster);
  if (sampleFile === null) {
    await server.stop();
    return { engine, members, idle, databaseBytes: await databaseBytes(place), joins: null };
  }
  const measured = await measure(
    { ...server, sampleFile },
    { kind: 'join', inFlight: TARGET_IN_FLIGHT, warmUpSeconds: 0, seconds: JOIN_SECONDS },
  );
  const after = await readUsage(server.pid, postmaster);
  await server.stop();
  const grownBytes = (await databaseBytes(place)) - bytesBefore;
  const bytesEach = grownBytes / (measured.perSecond * JOIN_SECONDS);
  return {
    engine,
    members,
    idle,
    databaseBytes: bytesBefore,
    joins: { ...measured, bytesEach, after },
  };
}

async function readUsage(pid: number, postmaster: number | null): Promise<Usage> {
  const read = () => ({
    server: processorUs(pid),
    database: postmaster === null ? null : processorUsOfFamily(postmaster),
  });
  const share = (fromUs: number | null, toUs: number | null) =>
    fromUs === null || toUs === null ? null : (toUs - fromUs) / 1e6 / USAGE_SECONDS;
  await pause(SETTLE_MS);
  const before = read();
  await pause(USAGE_SECONDS * 1000);
  const after = read();
  return {
    serverMemory: memoryBytes([pid]),
    databaseMemory: postmaster && memoryBytes([postmaster, ...childrenOf(postmaster)]),
    serverProcessor: share(before.server, after.server),
    databaseProcessor: share(before.database, after.database),
  };
}

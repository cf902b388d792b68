/**
 * `npm run cluster`: three servers behind HAProxy on a PostgreSQL with a synchronous standby.
 * Visitors join while nodes and databases are killed; the line is checked against their answers.
 * The results go to docs/CLUSTER.md.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openHistory } from '../faults/history.ts';
import { readLine } from '../faults/read-line.ts';
import { startVisitors } from '../faults/visitors.ts';
import { type ClusterRecord, type EventRecord, sayEvent, writeRecord } from './cluster-record.ts';
import { EVENTS } from './events.ts';
import { judgeMail } from './judge-mail.ts';
import { type Cluster, openCluster } from './open-cluster.ts';
import { startPageReader } from './visits/page-reader.ts';
import { watchPauses } from './visits/pauses.ts';
import { spendLimit } from './visits/spend-limit.ts';

const VISITORS = 16;
const PAUSE_MS = 150;
/** The next event waits until service is back to normal. */
const JOINS_BETWEEN = 4 * VISITORS;
const ROUND_DEADLINE_MS = 60_000;

const began = performance.now();
const cluster = await openCluster();
console.log(
  `${cluster.pair.description}; ${cluster.haproxy.version}; visitors come in at ${cluster.url}`,
);
try {
  const record = await run(cluster);
  const { isGood } = writeRecord({ ...record, seconds: (performance.now() - began) / 1000 });
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  console.error(cluster.nodes.output().slice(-5_000));
  throw error;
} finally {
  await cluster.remove();
}

async function run({
  folder,
  url,
  certificate,
  pair,
  nodes,
  haproxy,
  mailSink,
}: Cluster): Promise<Omit<ClusterRecord, 'seconds'>> {
  const history = openHistory();
  const reader = startPageReader(url, certificate);
  const visitors = startVisitors(url, VISITORS, history, { pauseMs: PAUSE_MS });
  const joins = watchPauses(() => history.members.length);
  const pages = watchPauses(() => reader.read());
  const visitingSince = performance.now();

  /** Returns the milliseconds until the next join. */
  async function untilMoreJoins(more: number): Promise<number> {
    const since = performance.now();
    const before = history.members.length;
    while (history.members.length < before + more) {
      if (performance.now() - since > ROUND_DEADLINE_MS)
        throw new Error('Nobody can join any more.');
      await delay(5);
    }
    return performance.now() - since;
  }

  await untilMoreJoins(JOINS_BETWEEN);
  const events: EventRecord[] = [];
  for (const { name, befall } of EVENTS) {
    const since = performance.now();
    const [joinsBefore, refusalsBefore, failedBefore] = [
      history.members.length,
      visitors.refusals(),
      reader.failed(),
    ];
    const note = await befall(cluster, () => untilMoreJoins(1));
    await untilMoreJoins(JOINS_BETWEEN);
    const event = {
      name,
      note,
      joins: history.members.length - joinsBefore,
      withoutJoinMs: joins.longestSince(since),
      withoutPageMs: pages.longestSince(since),
      refusals: visitors.refusals() - refusalsBefore,
      failedPages: reader.failed() - failedBefore,
    };
    console.log(sayEvent(event));
    events.push(event);
  }
  const joinsPerSecond = (history.members.length * 1000) / (performance.now() - visitingSince);
  const limit = await spendLimit(url, { serverUrls: nodes.all.map((node) => node.url), history });
  await Promise.all([visitors.stop(), reader.stop()]);
  joins.stop();
  pages.stop();

  const mail = await judgeMail(pair.primary().url, {
    members: history.members,
    mails: mailSink.mails,
  });
  await nodes.stopAll();
  const { line, differences } = await readLine({
    dataDir: folder,
    databaseUrl: pair.primary().url,
  });
  return {
    versions: [pair.description, haproxy.version],
    events,
    joinsPerSecond,
    pagesRead: reader.read(),
    acknowledged: history.members.length,
    ...history.judge(line),
    differences,
    violations: history.violations,
    limit,
    mail,
  };
}

/** The failures of the cluster, one after the other, under load. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './open-cluster.ts';

export type Event = {
  readonly name: string;
  /** Returns a remark, if there is one. */
  befall(cluster: Cluster, untilNextJoin: () => Promise<number>): Promise<string>;
};

const AWAY_MS = 3_000;
/** For connections that the node got before it was taken out. */
const DRAINED_MS = 500;
/** How long commits wait for a dead standby before it is taken out of the quorum. */
const NOTICED_MS = 4_000;
/** Before the kill the primary stops sending: on one machine the standby would never lag behind. */
const STALL_MS = 500;
const QUIET_MS = 8_000;

export const EVENTS: readonly Event[] = [
  {
    name: 'Nothing, for comparison',
    async befall() {
      await delay(QUIET_MS);
      return '';
    },
  },
  {
    name: 'A node killed, started again',
    async befall({ nodes }) {
      const [node] = nodes.all;
      if (node === undefined) return '';
      await nodes.kill(node);
      await delay(AWAY_MS);
      await nodes.start(node);
      return `${node.name}, away for ${AWAY_MS / 1000} s and its start`;
    },
  },
  {
    name: 'All nodes restarted in turn',
    async befall({ nodes, haproxy }) {
      for (const node of nodes.all) {
        await haproxy.drain(node.name);
        await delay(DRAINED_MS);
        await nodes.stop(node);
        await nodes.start(node);
        await haproxy.admit(node.name);
        await delay(DRAINED_MS);
      }
      return 'each taken out of the proxy, stopped, started and let in again';
    },
  },
  { name: 'Primary killed, standby promoted', befall: promote },
  { name: 'The dead primary back as standby', befall: rejoin },
  {
    name: 'Standby killed, primary told to go on alone',
    async befall({ pair }, untilNextJoin) {
      await pair.killStandby();
      await delay(NOTICED_MS);
      await pair.goOnAlone();
      const joinedMs = await untilNextJoin();
      return `told after ${NOTICED_MS / 1000} s; first join ${seconds(joinedMs)} later`;
    },
  },
  { name: 'The dead standby back', befall: rejoin },
  { name: 'Primary killed again, the other way', befall: promote },
];

async function promote({ pair }: Cluster, untilNextJoin: () => Promise<number>): Promise<string> {
  await pair.stallSending();
  await delay(STALL_MS);
  await pair.killPrimary();
  const since = performance.now();
  await pair.promote();
  const promotedMs = performance.now() - since;
  const joinedMs = await untilNextJoin();
  return (
    `the standby made to lag for ${seconds(STALL_MS)} before; ` +
    `promoted within ${seconds(promotedMs)}; first join ${seconds(joinedMs)} later`
  );
}

async function rejoin({ pair }: Cluster): Promise<string> {
  const since = performance.now();
  await pair.rejoin();
  return `copied and in step after ${seconds(performance.now() - since)}`;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** A real server with defaults behind a proxy on this machine, and a clock that can be moved. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { MemberCredit } from '../../../contract/member-states.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ask } from '../../../test/limits/visitor.ts';
import { freePort } from '../../../test/support/server-process.ts';
import { type Place, startProduct, thisCheckout } from '../../checkout.ts';

type ExportedMember = {
  readonly id: string;
  readonly position: number;
  readonly referral_count: number;
  readonly credit: MemberCredit;
};

export type FairServer = {
  readonly url: string;
  readonly dataDir: string;
  /** Relative to the true time. */
  moveClock(byMs: number): Promise<void>;
  runScheduledWork(): Promise<void>;
  readMembers(): Promise<ExportedMember[]>;
  stop(): Promise<void>;
};

const CLOCK = new URL('./moving-clock.ts', import.meta.url).href;
/** The server does not say when it has finished; some thousand members take less. */
const WORK_MS = 300;

export async function startFairServer(
  place: Place,
  settings: Readonly<Record<string, string>> = {},
): Promise<FairServer> {
  const { dataDir } = place;
  const clockPort = await freePort();
  const { url, stop } = await startProduct(thisCheckout, place, {
    TRUST_PROXY: '127.0.0.1',
    CLOCK_PORT: String(clockPort),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${CLOCK}`,
    ...settings,
  });
  const orderClock = (path: string) => ask(`http://127.0.0.1:${clockPort}`, { path });
  return {
    url,
    dataDir,
    moveClock: async (byMs) => void (await orderClock(`/${Math.round(byMs)}`)),
    async runScheduledWork() {
      await orderClock('/scheduled-work');
      await pause(WORK_MS);
    },
    async readMembers() {
      const token = readFileSync(join(dataDir, 'operator-token'), 'utf8').trim();
      const path = `${operatorPaths.exportMembers}?format=json`;
      const headers = { authorization: `Bearer ${token}` };
      const { status, text } = await ask(url, { path, headers });
      if (status !== 200) throw new Error(`The export was answered ${status}: ${text}`);
      return JSON.parse(text);
    },
    stop,
  };
}

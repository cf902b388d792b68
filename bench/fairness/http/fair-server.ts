/** A real server with defaults behind a proxy on this machine, and a clock that can be moved. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { MemberCredit } from '../../../contract/member-states.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ask } from '../../../test/limits/visitor.ts';
import { startDnsServer } from '../../../test/support/dns-server.ts';
import { freePort } from '../../../test/support/server-process.ts';
import { type Place, startProduct, thisCheckout } from '../../checkout.ts';
import { isHosted } from '../people.ts';

type ExportedMember = {
  readonly id: string;
  readonly email: string;
  readonly referral_code: string;
  readonly referred_by: string | null;
  readonly credit: MemberCredit;
  readonly confirmed_at: string | null;
};

export type FairServer = {
  readonly url: string;
  readonly dataDir: string;
  /** Relative to the true time. */
  moveClock(byMs: number): Promise<void>;
  runScheduledWork(): Promise<void>;
  readMembers(): Promise<ExportedMember[]>;
  /** A call of an operator: a POST with a body. Throws unless it succeeds. */
  operate(path: string, body?: object): Promise<unknown>;
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
  const dns = await startDnsServer({ get: exchangesOf });
  const { url, stop } = await startProduct(thisCheckout, place, {
    TRUST_PROXY: '127.0.0.1',
    CLOCK_PORT: String(clockPort),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${CLOCK}`,
    // The default of 10 mails a second would take minutes.
    MAIL_RATE: '1000',
    DNS_SERVERS: dns.address,
    ...settings,
  });
  async function operate(path: string, body?: object): Promise<unknown> {
    const token = readFileSync(join(dataDir, 'operator-token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    const { status, text } = await ask(url, { path, headers, ...sent });
    if (status >= 300) throw new Error(`${path} was answered ${status}: ${text}`);
    return JSON.parse(text);
  }
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
      return (await operate(`${operatorPaths.exportMembers}?format=json`)) as ExportedMember[];
    },
    operate,
    async stop() {
      const exitCode = await stop();
      dns.close();
      return exitCode;
    },
  };
}

/** Mail of the other domains comes to servers of their own. */
function exchangesOf(domain: string): readonly string[] {
  return isHosted(domain) ? ['aspmx.l.google.com'] : [`mx.${domain}`];
}

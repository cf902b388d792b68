/** A real server with defaults behind a proxy on this machine, whose clock and Stripe are ours. */
import { setTimeout as pause } from 'node:timers/promises';
import type { MemberCredit } from '../../../contract/member-states.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ask } from '../../../test/limits/visitor.ts';
import { freePort } from '../../../test/support/server-process.ts';
import { startProduct, thisCheckout } from '../../checkout.ts';
import { openOperator } from '../../load/operator.ts';
import type { Place } from '../../places.ts';
import type { Bank } from './steered.ts';

type ExportedMember = {
  readonly id: string;
  readonly email: string;
  readonly referral_code: string;
  readonly referred_by: string | null;
  readonly credit: MemberCredit;
  readonly confirmed_at: string | null;
};

export type FairServer = Awaited<ReturnType<typeof startFairServer>>;

const STEERED = new URL('./steered.ts', import.meta.url).href;
/** The server does not say when it has finished; some thousand members take less. */
const WORK_MS = 300;

export async function startFairServer(place: Place) {
  const { dataDir } = place;
  const port = await freePort();
  const { url, stop } = await startProduct(thisCheckout, place, {
    TRUST_PROXY: '127.0.0.1',
    STEERING_PORT: String(port),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${STEERED}`,
    // The default of 10 mails a second would take minutes.
    MAIL_RATE: '1000',
  });
  const operator = openOperator(dataDir);
  const steer = async <T>(path: string): Promise<T> =>
    JSON.parse((await ask(`http://127.0.0.1:${port}`, { path })).text);
  let movedMs = 0;
  async function moveClock(byMs: number): Promise<void> {
    movedMs = Math.round(byMs);
    await steer(`/${movedMs}`);
  }
  return {
    url,
    dataDir,
    moveClock,
    passMs: (ms: number) => moveClock(movedMs + ms),
    pay: (link: string, card: string) => steer(`/pay?${new URLSearchParams({ link, card })}`),
    readBank: () => steer<Bank>('/bank'),
    async runScheduledWork() {
      await steer('/scheduled-work');
      await pause(WORK_MS);
    },
    readMembers: () =>
      operator.call<ExportedMember[]>(`${operatorPaths.exportMembers}?format=json`),
    operator,
    stop,
  };
}

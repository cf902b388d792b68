import { MINUTE_MS } from '../durations.ts';
import type { Platform } from '../module.ts';
import { proveMailboxes } from './credits/prove-mailboxes.ts';
import { countJoins } from './funnel/count-joins.ts';
import { openStatusReader } from './get-status.ts';
import { openJoinQueue } from './join/join.ts';
import { openReferralVerifier } from './referrals/verify-referral.ts';

export type Line = ReturnType<typeof openLine>;

export function openLine({ config, brand, database }: Platform) {
  const { referralCredit, inviterEmail } = config;
  const joinedMail = referralCredit === 'confirm' ? 'confirm' : 'welcome';
  const joinQueue = openJoinQueue({
    database,
    brand,
    referralCredit,
    joinedMail: brand.mails[joinedMail].isOn ? joinedMail : null,
    knownMail: brand.mails['status-link'].isOn ? 'status-link' : null,
  });
  const status = openStatusReader({ database, brand });
  const verifier = openReferralVerifier({ database, inviterEmail });
  let isProvedAnew = false;
  return {
    joinQueue,
    getStatus: status.getStatus,
    verifyReferral: verifier.verifyReferral,
    work: [
      {
        name: 'counting joins',
        everyMs: 10_000,
        run: () => countJoins(database, { maxMs: MINUTE_MS }),
      },
      {
        name: 'proving mailboxes',
        everyMs: MINUTE_MS,
        async run() {
          await proveMailboxes(database, isProvedAnew ? 'unproved' : 'all');
          isProvedAnew = true;
        },
      },
    ],
    async close() {
      await Promise.all([joinQueue.close(), status.close(), verifier.close()]);
    },
  };
}

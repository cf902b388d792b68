/**
 * An operator's ten minutes: ten members a minute, from the top of the list. The model sees no
 * person behind a name, so it also holds a firm or a class with a mail server of its own.
 */
import type { FirstMember, Sign } from '../../contract/operator/credits/first-in-line.ts';
import { PROVIDERS } from './people.ts';

const MINUTES = 10;
const MEMBERS_A_MINUTE = 10;

export type LookedAt = Pick<FirstMember, 'suspicion' | 'mailboxes'> & {
  readonly member: Pick<FirstMember['member'], 'referral_code'>;
};

/** Returns the codes whose friends are held. `members` has the order of the list. */
export function findMadeUp({ members }: { members: readonly LookedAt[] }): string[] {
  return members
    .slice(0, MINUTES * MEMBERS_A_MINUTE)
    .filter(isMadeUp)
    .map(({ member }) => member.referral_code);
}

/** Five friends who share all of it have these points. */
function isMadeUp({ suspicion: { signs }, mailboxes: { domains } }: LookedAt): boolean {
  const has = (wanted: Sign, least: number) =>
    signs.some(({ sign, points }) => sign === wanted && points >= least);
  if (!has('open-mailboxes', 16)) return false;
  const isProvider = PROVIDERS.includes(domains[0]?.domain ?? '');
  return (!isProvider && has('one-domain', 4)) || (has('one-network', 16) && has('near-misses', 5));
}

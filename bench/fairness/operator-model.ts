/**
 * An operator's ten minutes, as a model: of the first 150, the credits of up to twenty are refused
 * whose friends nearly all have not confirmed, or are at domains that are no large provider's. It
 * looks at no name, page or person, so it also refuses a firm or a school class.
 */
import { PROVIDERS } from './people.ts';

const LOOKED_AT = 150;
const DECISIONS = 20;
const FEW_FRIENDS = 3;
const SURE = 0.9;

export type LookedAt = {
  readonly email: string;
  readonly referral_code: string;
  readonly referred_by: string | null;
  readonly credit: string;
  readonly confirmed_at: string | null;
};

/** Returns codes whose credits are refused. `order` has the codes of the frozen list. */
export function findSuspicious(order: readonly string[], members: readonly LookedAt[]): string[] {
  const given = members.filter(({ credit }) => credit === 'given');
  const friendsOf = Map.groupBy(given, ({ referred_by }) => referred_by ?? '');
  return order
    .slice(0, LOOKED_AT)
    .map((code) => ({ code, suspicion: suspicionOf(friendsOf.get(code) ?? []) }))
    .filter(({ suspicion }) => suspicion >= SURE)
    .toSorted((a, b) => b.suspicion - a.suspicion)
    .slice(0, DECISIONS)
    .map(({ code }) => code);
}

function suspicionOf(friends: readonly LookedAt[]): number {
  if (friends.length < FEW_FRIENDS) return 0;
  const suspicious = friends.filter(
    ({ email, confirmed_at }) =>
      confirmed_at === null || !PROVIDERS.includes(email.replace(/.*@/, '')),
  );
  return suspicious.length / friends.length;
}

/**
 * A friend whose address bounced or complained does not count, unless they have confirmed it. A
 * confirmation makes them count again: docs/decisions/0082-credits-wait.md.
 */
import type { Brand } from '../../brand/brand-shape.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { markActedOn, readNewFailures } from '../mail/suppression/store.ts';
import { DECIDED_AT_ONCE, decideIfAny, openDecideCredits } from './decide-change.ts';

type Options = {
  readonly database: Database;
  readonly brand: Pick<Brand, 'tiers'>;
  readonly referralCredit: Config['referralCredit'];
};

const ACTOR = { kind: 'system', id: null, name: 'bounces' } as const;
const REASON = 'The mailbox bounced, or marked a mail as spam';

/** A kill repeats the last part, which then changes nothing. Does nothing where joins count. */
export async function refuseBounced({ database, brand, referralCredit }: Options): Promise<void> {
  if (referralCredit === 'join') return;
  for (;;) {
    const failures = await readNewFailures(database, DECIDED_AT_ONCE);
    if (failures.length === 0) return;
    const operation = openDecideCredits({
      ...{ database, brand, referralCredit },
      decider: 'bounce',
    });
    const ids = failures.map(({ memberId }) => memberId);
    const input = { state: 'refused' as const, member_ids: ids };
    await decideIfAny({ database }, { operation, input }, { actor: ACTOR, reason: REASON });
    await markActedOn(database, failures);
    if (failures.length < DECIDED_AT_ONCE) return;
  }
}

/** A friend whose address bounced does not count until they confirm it (decision 0082). */
import { applyOperation } from '../changes/make-changes.ts';
import { markActedOn, readNewFailures } from '../mail/suppression/store.ts';
import { Problem } from '../problem.ts';
import { type CreditOptions, DECIDED_AT_ONCE, openDecideCredits } from './decide-change.ts';

const ACTOR = { kind: 'system', id: null, name: 'bounces' } as const;
const REASON = 'The mailbox bounced, or marked a mail as spam';

/** A kill repeats the last part, which then changes nothing. */
export async function refuseBounced(options: CreditOptions): Promise<void> {
  const { database } = options;
  const operation = openDecideCredits(options, 'bounce');
  for (;;) {
    const failures = await readNewFailures(database, DECIDED_AT_ONCE);
    if (failures.length === 0) return;
    const member_ids = failures.map(({ memberId }) => memberId);
    const decision = { kind: 'decide-credits', input: { state: 'refused', member_ids } } as const;
    try {
      const by = { actor: ACTOR, reason: REASON };
      await applyOperation({ database }, { ...decision, operation }, by);
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'conflict')) throw error;
    }
    await markActedOn(database, failures);
    if (failures.length < DECIDED_AT_ONCE) return;
  }
}

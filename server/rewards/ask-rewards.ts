import type { Brand } from '../../brand/brand-shape.ts';
import type { ChangeInput } from '../../contract/operator/changes.ts';
import { countOf } from '../changes/count-words.ts';
import type { Operation } from '../changes/operation.ts';
import type { Database } from '../db/database.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { readMemberId } from '../line/member-id-rules.ts';
import { findSuppressedMembers } from '../mail/suppression/store.ts';
import { queueMails } from '../notifications/delivery/queue.ts';
import type { Mail } from '../notifications/open-mail.ts';
import { Problem } from '../problem.ts';
import { findRewards, insertAsked } from './reward-store.ts';
import { assertFew, levelOf, MAX_REWARDS, rewardsOf } from './rewards.ts';

type Input = ChangeInput<'ask-rewards'>;

type Options = {
  readonly database: Database;
  readonly brand: Pick<Brand, 'tiers' | 'mails'>;
  readonly mail: Pick<Mail, 'wake'>;
};

/** Members are mailed a link to the page that asks where to send a reward: there is no undo. */
export function openAskRewards({ database, brand, mail }: Options): Operation<'ask-rewards'> {
  async function find(transaction: Transaction, input: Input) {
    const { tier, required, isAsked } = levelOf(brand.tiers, input.tier);
    if (!isAsked)
      throw new Problem('conflict', `The reward of tier ${tier} needs nothing from its members.`);
    if (!brand.mails.reward.isOn)
      throw new Problem('conflict', 'The brand file switches the mail "reward" off.');
    const found = await findRewards(transaction, {
      tier,
      required,
      states: input.again ? ['owed', 'asked'] : ['owed'],
      memberIds: input.member_ids?.flatMap((id) => readMemberId(id) ?? []) ?? null,
      limit: MAX_REWARDS + 1,
    });
    const ids = found.map(({ memberId }) => memberId);
    const suppressed = await findSuppressedMembers(transaction, ids);
    const mailed = ids.filter((id) => !suppressed.has(id));
    if (mailed.length === 0)
      throw new Problem('conflict', `Nobody would be asked about a reward of tier ${tier}.`);
    assertFew(mailed.length, input.expected);
    return { mailed, suppressed: suppressed.size };
  }

  return {
    kind: 'ask-rewards',
    lock: null,

    async preview(input) {
      const { mailed, suppressed } = await inTransaction(database, (transaction) =>
        find(transaction, input),
      );
      const { reward, tier } = levelOf(brand.tiers, input.tier);
      const members = countOf(mailed.length, 'member is', 'members are');
      return {
        sentences: [
          `${members} mailed a link, and asked where to send the reward of tier ${tier}: ` +
            `${reward}.`,
          ...(suppressed === 0
            ? []
            : [`${countOf(suppressed, 'other gets', 'others get')} no mail, and stay owed.`]),
          'A mail cannot be called back.',
        ],
        counts: { rewards: mailed.length, without_mail: suppressed },
      };
    },

    async apply(transaction, input) {
      const { tier } = input;
      const { mailed, suppressed } = await find(transaction, input);
      const asked = await insertAsked(transaction, tier, mailed);
      await queueMails(
        transaction,
        asked.map((memberId) => ({ kind: 'reward', memberId, level: tier })),
      );
      return {
        effects: { sentences: [], counts: { rewards: asked.length } },
        summary: `Members were asked where to send ${rewardsOf(asked.length, tier)}.`,
        subject: { kind: 'tier', id: String(tier) },
        details: { tier, rewards: asked.length, without_mail: suppressed },
        undo: null,
        afterCommit: async () => mail.wake(),
      };
    },
  };
}

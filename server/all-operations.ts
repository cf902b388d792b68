import type { Brand } from '../brand/brand-shape.ts';
import type { Verbs } from './changes/change.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { openReconcile } from './drop/hand-over/reconcile-change.ts';
import { makeCodesVerb, openImportCodes } from './drop/offers/codes.ts';
import { cancelPassVerb, reissuePassVerb } from './drop/offers/pass-changes.ts';
import { openTellOthers } from './drop/offers/telling.ts';
import { publishScheduleVerb } from './drop/schedule/publishing.ts';
import { openScheduleStep, unscheduleStepVerb } from './drop/schedule/scheduling.ts';
import { openDropVerb } from './drop/steps/ending.ts';
import { unfreezeDropVerb } from './drop/steps/freezing.ts';
import { stepVerbs } from './drop/steps/step-changes.ts';
import { allocateMasksVerb, releaseMasksVerb } from './drop/stock/allocation-changes.ts';
import { openRemoveSize, openSetStock, renameSizeVerb } from './drop/stock/stock-changes.ts';
import { holdCodeVerb, releaseCodeVerb } from './fairness/code-holds.ts';
import { openDecideCredits } from './fairness/decide-change.ts';
import { distrustNetworkVerb, trustNetworkVerb } from './fairness/trusted-networks.ts';
import { openCorrectAddress } from './members/changes/address-change.ts';
import { openEraseMember } from './members/changes/erasure-change.ts';
import { pauseJoiningVerb, reopenJoiningVerb } from './members/changes/joining.ts';
import { adjustPointsVerb } from './members/changes/points-change.ts';
import { openRemoveMembers } from './members/changes/removal-change.ts';
import { openResendLink } from './members/changes/resend-link.ts';
import type { Mail } from './notifications/open-mail.ts';
import { openAskRewards } from './rewards/ask-rewards.ts';
import { openMarkRewardsSent } from './rewards/mark-rewards-sent.ts';
import { openSendRewardCodes } from './rewards/send-reward-codes.ts';
import { openSetRewardBudget } from './rewards/set-reward-budget.ts';

export type VerbOptions = {
  readonly database: Database;
  readonly brand: Brand;
  readonly dataDir: string;
  readonly referralCredit: Config['referralCredit'];
  readonly secretKey: string;
  readonly mail: Pick<Mail, 'wake'>;
};

/** What an operator can change about members, masks, joining, the drop and rewards. */
export function openVerbs(
  options: VerbOptions,
): Omit<Verbs, 'send-campaign' | 'cancel-campaign' | 'import-members'> {
  return {
    'set-stock': openSetStock(options.brand),
    'rename-size': renameSizeVerb,
    'remove-size': openRemoveSize(options.brand),
    'allocate-masks': allocateMasksVerb,
    'release-masks': releaseMasksVerb,
    'remove-members': openRemoveMembers(options),
    'decide-credits': openDecideCredits(options),
    'hold-code': holdCodeVerb,
    'release-code': releaseCodeVerb,
    'trust-network': trustNetworkVerb,
    'distrust-network': distrustNetworkVerb,
    'adjust-points': adjustPointsVerb,
    'correct-address': openCorrectAddress(options),
    'resend-link': openResendLink(options),
    'erase-member': openEraseMember(options),
    'pause-joining': pauseJoiningVerb,
    'reopen-joining': reopenJoiningVerb,
    ...stepVerbs,
    'unfreeze-drop': unfreezeDropVerb,
    'schedule-step': openScheduleStep(stepVerbs),
    'unschedule-step': unscheduleStepVerb,
    'publish-schedule': publishScheduleVerb,
    'open-drop': openDropVerb,
    'ask-rewards': openAskRewards(options),
    'send-reward-codes': openSendRewardCodes(options),
    'mark-rewards-sent': openMarkRewardsSent(options),
    'set-reward-budget': openSetRewardBudget(options),
    'import-codes': openImportCodes(options),
    'make-codes': makeCodesVerb,
    'cancel-pass': cancelPassVerb,
    reconcile: openReconcile(options),
    'reissue-pass': reissuePassVerb,
    'tell-others': openTellOthers(options),
  };
}

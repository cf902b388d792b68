import type { Brand } from '../../../../brand/brand-shape.ts';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../db/database.ts';
import type { Mail } from '../../../mail/open-mail.ts';
import type { Verbs } from '../change.ts';
import { adjustPointsVerb } from './adjust-points.ts';
import { allocateMasksVerb, releaseMasksVerb } from './allocations.ts';
import { openCorrectAddress } from './correct-address.ts';
import { holdCodeVerb, releaseCodeVerb } from './credits/code-holds.ts';
import { distrustNetworkVerb, trustNetworkVerb } from './credits/trusted-networks.ts';
import { openDecideCredits } from './decide-credits.ts';
import { openDropVerb } from './drop/ending.ts';
import { unfreezeDropVerb } from './drop/freezing.ts';
import { publishScheduleVerb } from './drop/publishing.ts';
import { openScheduleStep, unscheduleStepVerb } from './drop/scheduling.ts';
import { stepVerbs } from './drop/step-verbs.ts';
import { openEraseMember } from './erase-member.ts';
import { pauseJoiningVerb, reopenJoiningVerb } from './joining.ts';
import { makeCodesVerb, openImportCodes } from './offers/codes.ts';
import { cancelPassVerb, reissuePassVerb } from './offers/passes.ts';
import { openReconcile } from './offers/reconcile.ts';
import { openTellOthers } from './offers/telling.ts';
import { openRemoveMembers } from './remove-members.ts';
import { openResendLink } from './resend-link.ts';
import { openAskRewards } from './rewards/ask-rewards.ts';
import { openMarkRewardsSent } from './rewards/mark-rewards-sent.ts';
import { openSendRewardCodes } from './rewards/send-reward-codes.ts';
import { openSetRewardBudget } from './rewards/set-reward-budget.ts';
import { openRemoveSize, openSetStock, renameSizeVerb } from './stock.ts';

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

import type { Campaign, CampaignRequest } from '../../../contract/operator/mail/campaigns.ts';
import { campaignPath, createCampaign, readCampaign } from '../../api/notifications.ts';
import { put } from '../../api/queries.ts';
import { hasStatus } from '../../api/request.ts';
import { showToast } from '../../ui/toasts.tsx';
import { isSame } from './draft-rules.ts';

/** This text becomes a draft of its own when another operator edited, sent or deleted it. */
export async function saveDraft({
  draft,
  saved,
}: {
  draft: CampaignRequest;
  saved: Campaign | null;
}): Promise<Campaign> {
  if (saved === null) return await createCampaign(draft);
  const { campaign, revision } = saved;
  try {
    return await put<Campaign>(campaignPath(campaign), { ...draft, revision });
  } catch (error) {
    if (hasStatus(error, 404)) return await saveApart(draft, `Campaign ${campaign} was deleted`);
    if (!hasStatus(error, 409)) throw error;
    const now = await readCampaign(campaign);
    // The answer to this very text was lost.
    if (now.state === 'draft' && isSame(draft, now)) return now;
    return await saveApart(draft, `Campaign ${campaign} was edited or sent`);
  }
}

async function saveApart(draft: CampaignRequest, what: string): Promise<Campaign> {
  const created = await createCampaign(draft);
  showToast(`What you write is now draft ${created.campaign}`, {
    description: `${what} meanwhile by somebody else.`,
  });
  return created;
}

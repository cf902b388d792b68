import type { RenderedMail } from '../../../contract/mails.ts';
import { imagePaths } from '../../../contract/paths.ts';
import { SAMPLE_CODE, sampleFrame } from '../dev/sample-mails.ts';
import { campaignContent, type LetterOptions } from '../mail-content-rules.ts';
import type { CampaignText } from './campaign-text.ts';

/** The mail as a member with made-up numbers gets it. Takes a text without problems. */
export function previewCampaign(
  { publicUrl, artVersion, renderMail }: LetterOptions,
  text: CampaignText,
): RenderedMail {
  const frame = {
    ...sampleFrame(publicUrl),
    // Nobody's code: the ghost is the one of no member.
    ghostImage: publicUrl + imagePaths.ghost(SAMPLE_CODE, artVersion),
  };
  const content = campaignContent(text, { ...frame, position: 128, referralCount: 3 });
  return renderMail(content, frame);
}

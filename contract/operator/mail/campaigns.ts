import { type Static, Type } from 'typebox';
import { Before, NextBefore, NullableText, Whole } from '../../fields.ts';
import { MAX_CAMPAIGN_LENGTH } from '../limits.ts';
import { MemberFilter } from '../member-filter.ts';

const texts = {
  subject: Type.String({ maxLength: 200, description: 'One line; may have placeholders' }),
  body: Type.String({
    maxLength: MAX_CAMPAIGN_LENGTH,
    description:
      'Markdown, without HTML and images. {position}, {referral_count}, {referral_code}, ' +
      '{invite_link} and {status_link} become those of the member.',
  }),
  filter: Type.Object(MemberFilter.properties, {
    additionalProperties: false,
    description:
      'Without `confirmed`, the mail is for members who have confirmed their address. False: for ' +
      'the others, whose addresses anybody may have typed',
  }),
};

/** A draft may be unfinished: its problems are listed, and it cannot be sent. */
export const CampaignRequest = Type.Object(texts);
export type CampaignRequest = Static<typeof CampaignRequest>;

export const CampaignEdit = Type.Object({
  ...texts,
  revision: Whole(
    1,
    2 ** 31 - 1,
    'Of the draft that was edited: refused when there is a newer one',
  ),
});
export type CampaignEdit = Static<typeof CampaignEdit>;

export const CampaignPageRequest = Type.Object({
  before: Before('Campaigns', 9),
});

const CampaignCounts = Type.Object({
  recipients: Type.Integer({ description: 'Found so far: those who match when sending begins' }),
  sent: Type.Integer(),
  kept: Type.Integer({ description: 'Kept in files: no mail server is set' }),
  waiting: Type.Integer({ description: 'For their first or next attempt' }),
  failed: Type.Integer({ description: 'Refused by a mail server, or given up after a day' }),
  suppressed: Type.Integer({
    description: 'Unsubscribed, bounced, complained, or not confirmed and mailed enough: not sent',
  }),
  departed: Type.Integer({ description: 'Left the line before their mail' }),
  cancelled: Type.Integer({ description: 'Not sent, because the campaign was cancelled' }),
});

export const Campaign = Type.Object({
  campaign: Type.Integer({ description: 'Its number' }),
  state: Type.Enum(['draft', 'sending', 'sent', 'cancelled']),
  revision: Type.Integer(),
  subject: Type.String(),
  title: Type.String({ description: 'The subject, with "…" for what differs by member' }),
  body: Type.String(),
  filter: Type.Object(MemberFilter.properties, {
    description: 'Once sent, the text searched for is not kept: it may be an address',
  }),
  problems: Type.Array(Type.String(), { description: 'What keeps a draft from being sent' }),
  created_at: Type.String(),
  started_at: NullableText,
  ended_at: NullableText,
  is_counted: Type.Boolean({ description: 'Whether all recipients have been found' }),
  counts: CampaignCounts,
});
export type Campaign = Static<typeof Campaign>;

export const Campaigns = Type.Object({
  campaigns: Type.Array(Campaign, { description: 'Newest first' }),
  next: NextBefore,
});
export type Campaigns = Static<typeof Campaigns>;

export const CampaignPreview = Type.Object({
  subject: Type.String(),
  text: Type.String({ description: 'The plain text that goes with the HTML' }),
});

/** One campaign that was sent, a draft, and one that is being sent when the demo opens. */
import type { Campaign, CampaignRequest } from '../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { type Ask, OWNER } from '../stage.ts';
import { change } from './office.ts';
import { days, type Happening, minutes, type Plot } from './plot.ts';

const FILM: CampaignRequest = {
  subject: 'The film is out, and you are #{position}',
  body: [
    '# Train unseen',
    '',
    'Six minutes in a basement in November: **the film is out**.',
    '',
    'You stand at **{position}**. Friends who join by {invite_link} take you further.',
  ].join('\n'),
  filter: { source: 'newsletter' },
};

const NEWS: CampaignRequest = {
  subject: 'News for #{position}: the drop is near',
  body: [
    '# The drop is near',
    '',
    'Stand **{position}**, with **{referral_count}** friends.',
    '',
    '- The shop opens for the first hundred on the first of December.',
    '- Sizes are cut as they are: try yours at the [fitting](https://fitting.example).',
    '',
    'Your page: {status_link}',
  ].join('\n'),
  filter: { confirmed: true },
};

const DRAFT: CampaignRequest = {
  subject: 'Thank you, whoever carried the boxes',
  body: 'You know who you are.\n\nYour page: {status_link}',
  filter: { tier: 2 },
};

export function campaigns({ stage }: Plot): Happening[] {
  const write = (ask: Ask, text: CampaignRequest) =>
    ask<Campaign>('POST', operatorPaths.campaigns, text);
  async function send(ask: Ask, text: CampaignRequest, reason: string): Promise<void> {
    const { campaign, revision } = await write(ask, text);
    await change(ask, { kind: 'send-campaign', input: { campaign, revision }, reason });
  }
  return [
    {
      agoMs: days(2.6),
      happen: async () => send(await stage.signIn(OWNER), FILM, 'the film is out'),
    },
    {
      agoMs: minutes(40),
      happen: async () => void (await write(await stage.signIn(OWNER), DRAFT)),
    },
    {
      agoMs: minutes(1),
      happen: async () => send(await stage.signIn(OWNER), NEWS, 'one week to go'),
    },
  ];
}

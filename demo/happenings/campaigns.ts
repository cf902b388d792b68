import { setTimeout as pause } from 'node:timers/promises';
import type { Campaign, CampaignRequest } from '../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import type { Ask } from '../stage.ts';
import { change, days, type Happening, minutes, operatorsOf, type Plot } from './plot.ts';

const POLL_MS = 50;
const PATIENCE_MS = 20_000;

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

export function campaigns(plot: Plot): Happening[] {
  const by = operatorsOf(plot);
  const write = (ask: Ask, text: CampaignRequest) =>
    ask<Campaign>('POST', operatorPaths.campaigns, text);
  async function send(ask: Ask, text: CampaignRequest, reason: string): Promise<number> {
    const { campaign, revision } = await write(ask, text);
    await change(ask, { kind: 'send-campaign', input: { campaign, revision }, reason });
    return campaign;
  }
  async function waitForEnd(ask: Ask, campaign: number): Promise<void> {
    const path = fillPath(operatorPaths.campaign, String(campaign));
    const until = performance.now() + PATIENCE_MS;
    while ((await ask<Campaign>('GET', path)).state === 'sending' && performance.now() < until)
      await pause(POLL_MS);
  }
  return [
    by(days(2.6), async (ask) => waitForEnd(ask, await send(ask, FILM, 'the film is out'))),
    by(minutes(40), (ask) => write(ask, DRAFT)),
    by(minutes(1), (ask) => send(ask, NEWS, 'one week to go')),
  ];
}

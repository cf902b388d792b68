/** Mails to a part of the line, from the command line. */
import { readFile } from 'node:fs/promises';
import type {
  Campaign,
  CampaignPreview,
  Campaigns,
} from '../../../contract/operator/mail/campaigns.ts';
import type { TestMail } from '../../../contract/operator/mails.ts';
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import { codeOf } from '../../../server/startup-error.ts';
import { type Options, UsageError } from '../../command-line/command.ts';
import { print, say } from '../../command-line/output.ts';
import type { Verbs } from '../../command-line/verbs.ts';
import { callOperator, OperatorError } from '../call-operator.ts';
import { makeChange } from '../changes/make-change.ts';
import { readFilterOptions } from '../members/member-filter.ts';
import { printable, renderTable } from '../table.ts';

export const campaignVerbs: Verbs = {
  send: { usage: '<file.md>', run: sendFile },
  preview: { usage: '<file.md>', run: previewFile },
  test: { usage: '<file.md>', run: testFile },
  list: { usage: '', run: listCampaigns },
  show: { usage: '<number>', run: showCampaign },
  cancel: { usage: '<number>', run: cancelCampaign },
};

type Words = readonly string[];

/** With `--preview` nothing is sent, and nothing kept. */
async function sendFile(config: Config, [file = '']: Words, options: Options): Promise<void> {
  await withDraft(config, file, options, async ({ campaign, revision }) => {
    const input = { campaign, revision };
    await makeChange(config, { kind: 'send-campaign', input }, options);
    if (!options.preview)
      say(options.json, `To see how far it is: ./waitlist campaign show ${campaign}`);
  });
}

/** The mail as a member with made-up numbers gets it. */
async function previewFile(config: Config, [file = '']: Words, options: Options): Promise<void> {
  await withDraft(config, file, options, async ({ campaign }) => {
    const path = fillPath(operatorPaths.campaignPreview, String(campaign));
    const { subject, text } = await callOperator<CampaignPreview>(config, { path });
    print(options.json, { subject, text }, () =>
      [`Subject: ${subject}`, '', ...text.split('\n')].map(printable).join('\n'),
    );
  });
}

async function testFile(config: Config, [file = '']: Words, options: Options): Promise<void> {
  const { to, json } = options;
  if (to === undefined) throw new UsageError('Add --to <address>: who gets the test mail.');
  await withDraft(config, file, options, async ({ campaign }) => {
    const sent = await callOperator<TestMail>(config, {
      method: 'POST',
      path: fillPath(operatorPaths.testCampaign, String(campaign)),
      body: { email: to },
    });
    if (sent.outcome === 'failed')
      throw new OperatorError([sent.cause, sent.answer, sent.advice].filter(Boolean).join(' '));
    const where = sent.outcome === 'kept' ? `kept in ${sent.file}` : `sent: ${sent.answer}`;
    print(json, sent, () => printable(`The test mail is ${where}`));
  });
}

/** Saves the file as a draft while `work` runs, and keeps it if it was sent. */
async function withDraft(
  config: Config,
  file: string,
  options: Options,
  work: (draft: Campaign) => Promise<void>,
): Promise<void> {
  const { subject } = options;
  if (subject === undefined) throw new UsageError('Add --subject "...": the subject of the mail.');
  const draft = await callOperator<Campaign>(config, {
    method: 'POST',
    path: operatorPaths.campaigns,
    body: { subject, body: await readMarkdown(file), filter: readFilterOptions(options) },
  });
  try {
    if (draft.problems.length > 0) throw new OperatorError(draft.problems.join('\n'));
    await work(draft);
  } finally {
    await deleteDraft(config, draft);
  }
}

/** A sent campaign is no longer a draft, and stays. */
async function deleteDraft(config: Config, { campaign }: Campaign): Promise<void> {
  const path = fillPath(operatorPaths.campaign, String(campaign));
  const { state } = await callOperator<Campaign>(config, { path });
  if (state === 'draft') await callOperator(config, { method: 'DELETE', path });
}

async function readMarkdown(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${codeOf(error)}).`);
  }
}

async function listCampaigns(config: Config, _words: Words, { json, after }: Options) {
  const query = after === undefined ? '' : `?before=${encodeURIComponent(after)}`;
  const page = await callOperator<Campaigns>(config, { path: operatorPaths.campaigns + query });
  print(json, page, () => {
    if (page.campaigns.length === 0) return 'There are no campaigns.';
    const rows = page.campaigns.map(({ campaign, state, subject, counts, started_at }) => [
      campaign,
      state,
      `${counts.sent} of ${counts.recipients}`,
      started_at ?? '',
      subject,
    ]);
    return renderTable(['Number', 'State', 'Sent', 'Began', 'Subject'], rows);
  });
  if (page.next !== null)
    say(json, `There are more: ./waitlist campaign list --after ${page.next}`);
}

async function showCampaign(config: Config, [word = '']: Words, { json }: Options): Promise<void> {
  const path = fillPath(operatorPaths.campaign, String(readNumber(word)));
  const campaign = await callOperator<Campaign>(config, { path });
  const { counts, state, subject, filter } = campaign;
  const rows = [
    ['Subject', subject],
    ['State', campaign.is_counted || state === 'draft' ? state : `${state}, still counting`],
    ['Filter', JSON.stringify(filter)],
    ['Began', campaign.started_at ?? ''],
    ['Ended', campaign.ended_at ?? ''],
    ...Object.entries(counts).map(([name, count]) => [name, String(count)]),
  ];
  print(json, campaign, () => renderTable(['What', 'Value'], rows));
}

async function cancelCampaign(config: Config, [word = '']: Words, options: Options): Promise<void> {
  const input = { campaign: readNumber(word) };
  await makeChange(config, { kind: 'cancel-campaign', input }, options);
}

function readNumber(word: string): number {
  if (!/^[1-9]\d{0,8}$/.test(word))
    throw new UsageError(`${word} is not the number of a campaign.`);
  return Number(word);
}

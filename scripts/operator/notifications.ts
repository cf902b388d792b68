import type { Campaign, CampaignPreview } from '../../contract/operator/mail/campaigns.ts';
import type { TestMail } from '../../contract/operator/mails.ts';
import { MemberFilter } from '../../contract/operator/member-filter.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import type { Call, Command } from '../command-line/command.ts';
import { FILTER_OPTIONS } from '../command-line/options.ts';
import { print, printable, renderPairs, say } from '../command-line/output.ts';
import { readFields, UsageError } from '../command-line/values.ts';
import { readGivenFile } from '../command-line/working-folder.ts';
import { list, request } from './api-commands.ts';
import { callOperator, OperatorError } from './call-operator.ts';
import { change, makeChange } from './changes.ts';
import { describeTest, explainFailure } from './mail.ts';

const DRAFT_OPTIONS = ['subject', ...FILTER_OPTIONS] as const;

export const campaignCommand: Command = {
  about:
    'A mail in Markdown, with --subject, to confirmed members, or as options say. ' +
    'A test needs --to.',
  commands: {
    send: {
      usage: '<file.md>',
      options: [...DRAFT_OPTIONS, 'reason', 'preview', 'json'],
      run: (call) =>
        withDraft(call, async ({ campaign, revision }) => {
          await makeChange(call, 'send-campaign', { campaign, revision });
          if (call.options.preview) return;
          say(call.options, `To see how far it is: ./waitlist campaign show ${campaign}`);
        }),
    },
    preview: {
      usage: '<file.md>',
      options: [...DRAFT_OPTIONS, 'json'],
      run: (call) => withDraft(call, (draft) => previewDraft(call, draft)),
    },
    test: {
      usage: '<file.md>',
      options: ['to', ...DRAFT_OPTIONS, 'json'],
      run: async (call) => {
        const { to } = call.options;
        if (to === undefined) throw new UsageError('Add --to <address>: who gets the test mail.');
        await withDraft(call, (draft) => testDraft(call, draft, to));
      },
    },
    list: list<Campaign>(operatorPaths.campaigns, {
      cursor: 'before',
      none: 'There are no campaigns.',
      columns: [
        ['Number', 'campaign'],
        'state',
        ['Sent', ({ counts }) => `${counts.sent} of ${counts.recipients}`],
        ['Began', 'started_at'],
        ['Subject', 'title'],
      ],
    }),
    show: request(operatorPaths.campaign, { describe: describeCampaign }),
    cancel: change('cancel-campaign'),
  },
};

async function previewDraft({ config, options }: Call, { campaign }: Campaign): Promise<void> {
  const path = fillPath(operatorPaths.campaignPreview, String(campaign));
  const { subject, text } = await callOperator<CampaignPreview>(config, path);
  const lines = [`Subject: ${subject}`, '', ...text.split('\n')];
  print(options, { subject, text }, lines.map(printable).join('\n'));
}

async function testDraft({ config, options }: Call, { campaign }: Campaign, email: string) {
  const path = fillPath(operatorPaths.testCampaign, String(campaign));
  const sent = await callOperator<TestMail>(config, path, { body: { email } });
  const failure = explainFailure(sent);
  if (failure !== null) throw new OperatorError(failure);
  print(options, sent, describeTest(sent));
}

async function withDraft(
  { config, words: [file = ''], options }: Call,
  work: (draft: Campaign) => Promise<void>,
): Promise<void> {
  const { subject } = options;
  if (subject === undefined) throw new UsageError('Add --subject "...": the subject of the mail.');
  const text = await readGivenFile(file);
  const draft = await callOperator<Campaign>(config, operatorPaths.campaigns, {
    body: { subject, body: text, filter: readFields(MemberFilter, options) },
  });
  try {
    if (draft.problems.length > 0) throw new OperatorError(draft.problems.join('\n'));
    await work(draft);
  } finally {
    const path = fillPath(operatorPaths.campaign, String(draft.campaign));
    const { state } = await callOperator<Campaign>(config, path);
    if (state === 'draft') await callOperator(config, path, { method: 'DELETE' });
  }
}

function describeCampaign(campaign: Campaign): string {
  const { counts, state, subject, filter, is_counted } = campaign;
  const pairs = {
    Subject: subject,
    State: is_counted || state === 'draft' ? state : `${state}, still counting`,
    Filter: JSON.stringify(filter),
    Began: campaign.started_at,
    Ended: campaign.ended_at,
    ...counts,
  };
  return renderPairs(Object.entries(pairs));
}

import { type Campaign, CampaignRequest } from '../../contract/operator/mail/campaigns.ts';
import { TestMailRequest } from '../../contract/operator/mails.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import type { Definition } from '../command-line/program.ts';
import { readGivenFile } from '../command-line/working-folder.ts';
import { callOperator, OperatorError } from './call-operator.ts';
import { attempt, change, type Runnable, request } from './calls.ts';
import { fieldOf, fieldsOf, findValues } from './fields.ts';

const DRAFT = fieldsOf(CampaignRequest, ['body']);
const TO = { ...fieldOf('email', TestMailRequest), option: 'to' };

export const campaign: Definition = {
  about: 'A mail in Markdown to confirmed members, or to those whom options name.',
  commands: {
    send: withDraft(change('send-campaign')),
    preview: withDraft(request('GET campaignPreview')),
    test: withDraft(attempt('POST testCampaign'), TO),
    list: request('GET campaigns', {
      shows: 'campaign state counts.sent counts.recipients started_at title',
    }),
    show: request('GET campaign', {
      shows: 'subject state is_counted filter started_at ended_at counts',
    }),
    cancel: change('cancel-campaign'),
  },
};

/** A command about a campaign of a file, which stays only if it is sent. */
function withDraft(command: Runnable, ...more: typeof DRAFT): Definition {
  return {
    ...command,
    words: [{ name: 'file', label: 'file.md' }],
    options: [...DRAFT, ...more, ...(command.options ?? [])],
    run: async ({ config, values }) => {
      const given = await findValues(DRAFT, values, config);
      const body = { filter: {}, ...given, body: readGivenFile(values.file ?? '') };
      const draft = await callOperator<Campaign>(config, operatorPaths.campaigns, { body });
      const { campaign: number, revision, problems } = draft;
      const path = fillPath(operatorPaths.campaign, String(number));
      try {
        if (problems.length > 0) throw new OperatorError(problems.join('\n'));
        await command.run({ config, values: { ...values, campaign: number, revision } });
      } finally {
        const { state } = await callOperator<Campaign>(config, path);
        if (state === 'draft') await callOperator(config, path, { method: 'DELETE' });
      }
    },
  };
}

import {
  type Campaign,
  CampaignPageRequest,
  type CampaignPreview,
  CampaignRequest,
} from '../../contract/operator/mail/campaigns.ts';
import { TestMailRequest } from '../../contract/operator/mails.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import type { Definition, Field } from '../command-line/program.ts';
import { readGivenFile } from '../command-line/working-folder.ts';
import { callOperator, OperatorError } from './call-operator.ts';
import { attempt, type Runnable, request } from './calls.ts';
import { change } from './changes.ts';
import { fieldOf, fieldsOf, findValues } from './fields.ts';

const DRAFT = fieldsOf(CampaignRequest, ['body']);
const TO: Field = { ...fieldOf('email', TestMailRequest), option: 'to' };

export const campaign: Definition = {
  about: 'A mail in Markdown to confirmed members, or to those whom options name.',
  commands: {
    send: withDraft(change('send-campaign')),
    preview: withDraft(
      request<CampaignPreview>(operatorPaths.campaignPreview, {
        says: ({ subject, text }) => `Subject: ${subject}\n\n${text}`,
      }),
    ),
    test: withDraft(attempt(operatorPaths.testCampaign, { body: TestMailRequest }), [TO]),
    list: request(operatorPaths.campaigns, {
      query: CampaignPageRequest,
      shows: 'Number:campaign state counts.sent counts.recipients Began:started_at Subject:title',
    }),
    show: request(operatorPaths.campaign, {
      shows: 'subject state is_counted filter Began:started_at Ended:ended_at counts',
    }),
    cancel: change('cancel-campaign'),
  },
};

/** A command about a campaign of a file, which stays only if it is sent. */
function withDraft(command: Runnable, more: readonly Field[] = []): Definition {
  return {
    words: [{ name: 'file', label: 'file.md' }],
    options: [...DRAFT, ...more, ...(command.options ?? [])],
    run: async ({ config, values }) => {
      const draft = await callOperator<Campaign>(config, operatorPaths.campaigns, {
        body: {
          filter: {},
          ...(await findValues(DRAFT, values, config)),
          body: readGivenFile(values.file ?? ''),
        },
      });
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

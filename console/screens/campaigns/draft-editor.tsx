import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import { campaignKey, campaignsKey, createCampaign, saveCampaign } from '../../api/campaigns.ts';
import { messageOf } from '../../api/request-error.ts';
import { writeFilter } from '../../parts/member-filter/filter-rules.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextArea, TextField } from '../../ui/controls/text-field.tsx';
import { Banner } from '../../ui/data/banner.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { DraftActions } from './draft-actions.tsx';
import { isSame, readRecipients } from './draft-rules.ts';
import { MailPreview } from './mail-preview.tsx';
import { RecipientFields } from './recipient-fields.tsx';

type DraftEditorProps = {
  /** null: a new one. */
  readonly saved: Campaign | null;
  readonly onSaved: (campaign: Campaign) => void;
  readonly onDeleted: () => void;
};

const MARKDOWN_HINT =
  'Markdown: # heading, **bold**, [words](https://…), - list. Placeholders: {position}, ' +
  '{referral_count}, {referral_code}, {invite_link}, {status_link}.';

/** Text and recipients, and beside them the mail as it was last saved. */
export function DraftEditor({ saved, onSaved, onDeleted }: DraftEditorProps) {
  const formId = useId();
  const client = useQueryClient();
  const [subject, setSubject] = useState(saved?.subject ?? '');
  const [body, setBody] = useState(saved?.body ?? '');
  const [filter, setFilter] = useState(writeFilter(saved?.filter ?? {}));
  const draft = { subject, body, filter: readRecipients(filter) };
  const isDirty = saved === null || !isSame(draft, saved);

  const saving = useMutation({
    mutationFn: () =>
      saved === null
        ? createCampaign(draft)
        : saveCampaign(saved.campaign, { ...draft, revision: saved.revision }),
    onSuccess: (campaign) => {
      client.setQueryData(campaignKey(campaign.campaign), campaign);
      void client.invalidateQueries({ queryKey: [...campaignsKey, 'list'] });
      onSaved(campaign);
    },
  });

  return (
    <div className="campaign">
      <form
        id={formId}
        className="campaign-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <Section title="Mail">
          <TextField
            label="Subject"
            maxLength={200}
            value={subject}
            onChange={(event) => setSubject(event.currentTarget.value)}
          />
          <TextArea
            label="Text"
            hint={MARKDOWN_HINT}
            rows={12}
            maxLength={20_000}
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
        </Section>
        <RecipientFields values={filter} onChange={setFilter} />
        <p className="field-error" role="alert">
          {saving.isError ? messageOf(saving.error) : ''}
        </p>
        {!isDirty && saved.problems.length > 0 && (
          <Banner tone="ember">Saved, but it cannot be sent yet. {saved.problems.join(' ')}</Banner>
        )}
        <div className="campaign-save">
          <Button
            type="submit"
            variant={isDirty ? 'primary' : 'secondary'}
            disabled={!isDirty}
            isBusy={saving.isPending}
          >
            {isDirty ? 'Save and preview' : 'Saved'}
          </Button>
        </div>
      </form>
      {saved !== null && (
        <div className="campaign-side">
          <DraftActions campaign={saved} isDirty={isDirty} onDeleted={onDeleted} />
          {saved.problems.length === 0 && <MailPreview campaign={saved} />}
        </div>
      )}
    </div>
  );
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import type { TestMail } from '../../../contract/operator/mails.ts';
import { memberCountQuery } from '../../api/members.ts';
import {
  campaignKey,
  campaignsKey,
  createCampaign,
  deleteCampaign,
  saveCampaign,
  testCampaign,
} from '../../api/notifications.ts';
import { messageOf } from '../../api/request.ts';
import { ChangeButton, useSettled } from '../../parts/changes.tsx';
import { Button } from '../../ui/buttons.tsx';
import { Form, TextArea, TextField } from '../../ui/fields.tsx';
import { Section } from '../../ui/frame.tsx';
import { Banner } from '../../ui/states.tsx';
import { FilterFields } from '../members/filter-fields.tsx';
import { describeCount, type SearchValues, writeFilter } from '../members/filter-rules.ts';
import { isSame, readRecipients } from './draft-rules.ts';
import { MailPreview } from './mail-preview.tsx';

type DraftEditorProps = {
  readonly saved: Campaign | null;
  readonly onSaved: (campaign: Campaign) => void;
  readonly onDeleted: () => void;
};

const MARKDOWN_HINT =
  'Markdown: # heading, **bold**, [words](https://…), - list. Placeholders: {position}, ' +
  '{referral_count}, {referral_code}, {invite_link}, {status_link}.';

export function DraftEditor({ saved, onSaved, onDeleted }: DraftEditorProps) {
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
      <Form failure={messageOf(saving.error)} onSubmit={() => saving.mutate()}>
        <Section title="Mail">
          <TextField label="Subject" maxLength={200} value={subject} onChange={setSubject} />
          <TextArea
            label="Text"
            hint={MARKDOWN_HINT}
            rows={12}
            maxLength={20_000}
            value={body}
            onChange={setBody}
          />
        </Section>
        <RecipientFields values={filter} onChange={setFilter} />
        {!isDirty && saved.problems.length > 0 && (
          <Banner tone="ember">Saved, but it cannot be sent yet. {saved.problems.join(' ')}</Banner>
        )}
        <p className="campaign-save">
          <Button
            type="submit"
            variant={isDirty ? 'primary' : 'secondary'}
            disabled={!isDirty}
            isBusy={saving.isPending}
          >
            {isDirty ? 'Save and preview' : 'Saved'}
          </Button>
        </p>
      </Form>
      {saved !== null && (
        <div>
          <DraftActions campaign={saved} isDirty={isDirty} onDeleted={onDeleted} />
          {saved.problems.length === 0 && <MailPreview campaign={saved} />}
        </div>
      )}
    </div>
  );
}

type RecipientFieldsProps = {
  readonly values: SearchValues;
  readonly onChange: (values: SearchValues) => void;
};

function RecipientFields({ values, onChange }: RecipientFieldsProps) {
  const { value: filter } = useSettled(readRecipients(values));
  const count = useQuery({ ...memberCountQuery(filter), placeholderData: (last) => last });
  const found = count.data && `${describeCount(count.data)} now`;
  return (
    <Section
      title="Recipients"
      note={
        <span role="status">{count.isError ? messageOf(count.error) : (found ?? 'Counting')}</span>
      }
    >
      <div className="fields">
        <FilterFields values={values} onChange={onChange} />
        <TextField
          label="Search"
          hint="Part of an address, a code, an id, or #position"
          maxLength={200}
          value={values.q}
          onChange={(q) => onChange({ ...values, q })}
        />
      </div>
    </Section>
  );
}

type DraftActionsProps = {
  readonly campaign: Campaign;
  readonly isDirty: boolean;
  readonly onDeleted: () => void;
};

function DraftActions({ campaign, isDirty, onDeleted }: DraftActionsProps) {
  const { campaign: number, revision } = campaign;
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const isReady = !isDirty && campaign.problems.length === 0;
  const testing = useMutation({ mutationFn: () => testCampaign(number, email) });
  const deleting = useMutation({
    mutationFn: () => deleteCampaign(number),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: campaignsKey });
      onDeleted();
    },
  });

  return (
    <Section
      title="Send"
      note={isDirty && 'Save it first.'}
      actions={
        <>
          <Button variant="quiet" isBusy={deleting.isPending} onClick={() => deleting.mutate()}>
            Delete draft
          </Button>
          <ChangeButton
            label="Send to the line"
            variant="primary"
            disabled={!isReady}
            change={{
              title: 'Send to the line',
              want: { kind: 'send-campaign', input: { campaign: number, revision } },
              undoNote: 'A mail cannot be called back.',
              confirmLabel: 'Send',
            }}
          />
        </>
      }
    >
      <Form className="campaign-test" onSubmit={() => testing.mutate()}>
        <TextField
          label="Test mail to"
          type="email"
          autoComplete="email"
          value={email}
          error={messageOf(testing.error)}
          onChange={setEmail}
        />
        <Button type="submit" disabled={!isReady || email === ''} isBusy={testing.isPending}>
          Send test
        </Button>
      </Form>
      <p role="status" className="quiet">
        {testing.data ? describeTest(testing.data) : ''}
        {messageOf(deleting.error)}
      </p>
    </Section>
  );
}

function describeTest({ outcome, answer, file, cause, advice }: TestMail): string {
  if (outcome === 'sent') return `Sent. The mail server answered: ${answer}`;
  if (outcome === 'kept') return `No mail server is set: the mail is kept in ${file}.`;
  return ['Not sent:', `${cause}.`, answer, advice].filter(Boolean).join(' ');
}

import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { Campaign, CampaignRequest } from '../../../contract/operator/mail/campaigns.ts';
import type { TestMail } from '../../../contract/operator/mails.ts';
import { call, read, readRows } from '../../api/queries.ts';
import { hasStatus, messageOf } from '../../api/request.ts';
import { ActionButton } from '../../parts/changes.tsx';
import { changeForm, plainForm, useSettled } from '../../parts/forms.tsx';
import { MailProblem } from '../../parts/mail-problem.tsx';
import { Button } from '../../ui/buttons.tsx';
import { Banner, Section } from '../../ui/facts.tsx';
import { Field, Form } from '../../ui/fields.tsx';
import { Fields, type FormFields } from '../../ui/form-fields.tsx';
import { KeptFor } from '../../ui/kept-state.ts';
import { showToast } from '../../ui/toasts.tsx';
import {
  CONFIRMED_LABELS,
  describeCount,
  FILTER_FORM,
  type SearchValues,
} from '../members/filter-rules.ts';
import { memberCountQuery } from '../members/member-dialogs.tsx';
import { isSame, readRecipients } from './draft-rules.ts';
import { type DraftState, openDraftSaver } from './draft-saver.ts';
import { MailPreview } from './mail-preview.tsx';

/** A mail server that hangs is reported after half a minute. */
const TEST_TIMEOUT_MS = 60_000;

const POLL_MS = 2_000;

export const campaignsQuery = infiniteQueryOptions({
  ...readRows('GET campaigns', {}, 'before'),
  refetchInterval: ({ state }) => {
    const campaigns = state.data?.pages.flatMap((page) => page.campaigns) ?? [];
    return campaigns.some((campaign) => campaign.state === 'sending') ? POLL_MS : false;
  },
});

export const campaignQuery = (number: number) =>
  queryOptions({
    ...read('GET campaign', { at: [number] }),
    refetchInterval: ({ state }) => (state.data?.state === 'sending' ? POLL_MS : false),
  });

type DraftEditorProps = {
  readonly saved: Campaign | null;
  /** The number under which the editor goes on, which a new draft gets when it is first saved. */
  readonly onNumber: (campaign: number) => void;
  readonly onDeleted: () => void;
};

const MAIL_FORM = {
  subject: { label: 'Subject', maxLength: 200 },
  body: {
    label: 'Text',
    kind: 'area',
    hint:
      'Markdown: # heading, **bold**, [words](https://…), - list. Placeholders: {position}, ' +
      '{referral_count}, {referral_code}, {invite_link}, {status_link}.',
    rows: 12,
    maxLength: 20_000,
  },
} as const;

export function DraftEditor({ saved: loaded, onNumber, onDeleted }: DraftEditorProps) {
  const saver = useDraftSaver(loaded);
  const state = useSyncExternalStore(saver.subscribe, saver.read);
  const { values, saved, isDirty } = state;
  const number = saved?.campaign;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is told once.
  useEffect(() => {
    if (number !== undefined && number !== loaded?.campaign) onNumber(number);
  }, [number]);

  return (
    <div className="campaign">
      <Form onSubmit={saver.saveNow}>
        <Section
          title="Mail"
          note={
            <span role="status" className={state.error ? 'field-error' : undefined}>
              {describeState(state)}
            </span>
          }
        >
          <Fields<keyof typeof MAIL_FORM>
            fields={MAIL_FORM}
            values={values}
            onChange={(name, value) => saver.edit({ [name]: value })}
          />
        </Section>
        <RecipientFields values={values.filter} onChange={(filter) => saver.edit({ filter })} />
        {saved !== null && !isDirty && saved.problems.length > 0 && (
          <Banner tone="ember">
            {`Saved, but it cannot be sent yet. ${saved.problems.join(' ')}`}
          </Banner>
        )}
      </Form>
      {saved !== null && (
        <div>
          <DraftActions
            campaign={saved}
            isDirty={isDirty}
            onDeleted={() => {
              saver.discard();
              onDeleted();
            }}
          />
          {saved.problems.length === 0 && <MailPreview campaign={saved} />}
        </div>
      )}
    </div>
  );
}

function useDraftSaver(saved: Campaign | null) {
  const client = useQueryClient();
  const owner = useContext(KeptFor);
  const { mutateAsync: save } = useMutation({
    mutationFn: saveDraft,
    onSuccess: (campaign) => {
      client.setQueryData(campaignQuery(campaign.campaign).queryKey, campaign);
      void client.invalidateQueries({ queryKey: campaignsQuery.queryKey, exact: true });
    },
  });
  const [saver] = useState(() => openDraftSaver({ saved, owner, save }));
  useEffect(() => saver.open(), [saver]);
  useEffect(() => saver.receive(saved), [saver, saved]);
  return saver;
}

function describeState({ saved, isDirty, error }: DraftState): string {
  if (!isDirty) return saved === null ? '' : 'Saved';
  return error === null ? 'Saving' : `Not saved: ${messageOf(error)}`;
}

const RECIPIENT_FORM: FormFields<keyof SearchValues> = {
  ...FILTER_FORM,
  q: {
    label: 'Search',
    hint: 'Part of an address, a code, an id, #128, or #1-100',
    maxLength: 200,
  },
  confirmed: {
    label: 'Address',
    kind: 'select',
    options: CONFIRMED_LABELS,
    hint: ({ confirmed }) =>
      confirmed === 'no'
        ? 'Anybody may have typed these addresses: the mail may annoy strangers.'
        : '',
  },
};

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
        <Fields
          fields={RECIPIENT_FORM}
          values={values}
          onChange={(name, value) => onChange({ ...values, [name]: value })}
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
  const { campaign: number, title, revision } = campaign;
  const [email, setEmail] = useState('');
  const isReady = !isDirty && campaign.problems.length === 0;
  const testing = useMutation({
    mutationFn: () =>
      call('POST testCampaign', { at: [number], body: { email }, timeoutMs: TEST_TIMEOUT_MS }),
  });
  return (
    <Section
      title="Send"
      actions={
        <>
          <ActionButton
            label="Delete draft"
            variant="quiet"
            dialog={plainForm({
              title: title === '' ? 'Delete this draft?' : `Delete ${title}?`,
              confirmLabel: 'Delete',
              isDanger: true,
              children: <p>Subject, text and recipients are gone for good.</p>,
              make: async () => {
                await call('DELETE campaign', { at: [number] });
                onDeleted();
              },
            })}
          />
          <ActionButton
            variant="primary"
            disabled={!isReady}
            dialog={changeForm({
              title: 'Send to the line',
              want: { kind: 'send-campaign', input: { campaign: number, revision } },
              undoNote: 'A mail cannot be called back.',
              confirmLabel: 'Send',
              children: <MailProblem />,
            })}
          />
        </>
      }
    >
      <MailProblem />
      <Form className="campaign-test" onSubmit={() => testing.mutate()}>
        <Field
          label="Test mail to"
          kind="email"
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
      </p>
    </Section>
  );
}

function describeTest({ outcome, answer, file, cause, advice }: TestMail): string {
  if (outcome === 'sent') return `Sent. The mail server answered: ${answer}`;
  if (outcome === 'kept') return `No mail server is set: the mail is kept in ${file}.`;
  return ['Not sent:', `${cause}.`, answer, advice].filter(Boolean).join(' ');
}

/** This text becomes a draft of its own when another operator edited, sent or deleted it. */
async function saveDraft({
  draft,
  saved,
}: {
  draft: CampaignRequest;
  saved: Campaign | null;
}): Promise<Campaign> {
  if (saved === null) return await call('POST campaigns', { body: draft });
  const { campaign, revision } = saved;
  const at: [number] = [campaign];
  try {
    return await call('PUT campaign', { at, body: { ...draft, revision } });
  } catch (error) {
    if (hasStatus(error, 404)) return await saveApart(draft, `Campaign ${campaign} was deleted`);
    if (!hasStatus(error, 409)) throw error;
    const now = await call('GET campaign', { at });
    // The answer to this very text was lost.
    if (now.state === 'draft' && isSame(draft, now)) return now;
    return await saveApart(draft, `Campaign ${campaign} was edited or sent`);
  }
}

async function saveApart(draft: CampaignRequest, what: string): Promise<Campaign> {
  const created = await call('POST campaigns', { body: draft });
  showToast(`What you write is now draft ${created.campaign}`, {
    description: `${what} meanwhile by somebody else.`,
  });
  return created;
}

import type { ScheduledStep } from '../../../contract/drop/step-words.ts';
import type { WantedChange } from '../../../contract/operator/changes.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { MAX_ENTRANTS, MAX_PAUSE_MESSAGE } from '../../../contract/operator/limits.ts';
import type { Layer } from '../../parts/changes.tsx';
import { type ChangeForm, changeForm, wantedBy } from '../../parts/forms.tsx';
import { MailProblem } from '../../parts/mail-problem.tsx';
import type { FormFields } from '../../ui/form-fields.tsx';
import { formatMoment } from '../../ui/formats.ts';
import {
  HOURS_FIELD,
  isDrawn,
  nameMasks,
  readDomains,
  readDraw,
  readSignature,
} from './draw-rules.ts';
import type { Step } from './step-rules.ts';

const USUAL_MESSAGE = 'The line is frozen for the drop. Please come back later.';

export function stepDialog(step: Step, facts: DropFacts, isLater = false): Layer {
  if (step === 'freeze-drop') return freeze(facts, isLater);
  if (step === 'announce-draw') return announce(facts, isLater);
  if (step === 'select-entrants') return select(facts, isLater);
  if (step === 'start-offers') return startOffers(isLater);
  if (step === 'close-drop')
    return stepForm(isLater, {
      title: 'Close the drop',
      isDanger: true,
      fields: {},
      want: { kind: 'close-drop', input: {} },
    });
  if (step === 'unfreeze-drop')
    return changeForm({
      title: 'Undo the freeze',
      isDanger: true,
      undoNote: 'The line can be frozen again, with its order then.',
      want: { kind: 'unfreeze-drop', input: {} },
    });
  return changeForm({
    title: 'Open the next drop',
    confirmLabel: 'Open',
    want: { kind: 'open-drop', input: {} },
  });
}

const isByCard = ({ cards }: Pick<Values, 'cards'>) => cards === 'cards';

const freeze = ({ members, takes_cards: takesCards }: DropFacts, isLater: boolean) =>
  stepForm(isLater, {
    title: 'Freeze the line',
    confirmLabel: 'Freeze',
    undoNote: 'You can undo this for 24 hours, until the draw is announced.',
    fields: {
      first: {
        label: 'Members who take part',
        kind: 'number',
        min: 1,
        max: MAX_ENTRANTS,
        value: String(Math.min(Math.max(members, 1), MAX_ENTRANTS)),
        isRequired: true,
        hint: 'From the first of the line, at most 10,000.',
      },
      holders: { label: 'Let in who holds a mask of an earlier drop', kind: 'checkbox' },
      losses: { label: 'Give one more ticket for each lost drop', kind: 'checkbox' },
      domains: {
        label: 'Mail domains of which all take part',
        kind: 'area',
        rows: 1,
        hint:
          'A domain that is no known mail provider has two tickets, as its owner can make any ' +
          'number of mailboxes. Name schools and firms that you know.',
      },
      cards: {
        label: 'Who may be drawn',
        kind: 'segmented',
        value: takesCards ? 'cards' : 'all',
        options: { all: 'All, by offers', cards: 'Cards that hold the price' },
        hint: ({ cards }) =>
          cards === 'cards'
            ? 'Stripe reserves the price on each card until the draw, so a ticket costs as much.'
            : 'A ticket costs an address alone, which can be made up. Cards need Stripe.',
      },
      hours: {
        label: 'Hours to enter',
        kind: 'number',
        min: 24,
        max: 96,
        value: '48',
        isRequired: true,
        isShort: true,
        hint: '24 to 96. The draw comes after that, within 5 days of the freeze.',
        isShown: isByCard,
      },
      prepaid: { label: 'Refuse prepaid cards', kind: 'checkbox', isShown: isByCard },
      joins: {
        label: 'Joins after the freeze',
        kind: 'segmented',
        value: 'go-on',
        options: { 'go-on': 'Joins go on', stop: 'Joins stop' },
      },
      message: {
        label: 'What visitors are told',
        value: USUAL_MESSAGE,
        maxLength: MAX_PAUSE_MESSAGE,
        isRequired: true,
        isShown: ({ joins }) => joins === 'stop',
      },
    },
    want: ({ message, joins, cards, hours, prepaid, ...values }) => {
      const domains = readDomains(values.domains);
      return {
        kind: 'freeze-drop',
        input: {
          first: Number(values.first),
          holders_enter: values.holders !== '',
          losses_count: values.losses !== '',
          ...(domains.length > 0 && { domains }),
          ...(joins === 'stop' && { pause_message: message }),
          ...(isByCard({ cards }) && {
            cards: { hours: Number(hours), refuses_prepaid: prepaid !== '' },
          }),
        },
      };
    },
  });

const select = ({ round }: DropFacts, isLater: boolean) =>
  stepForm(isLater, {
    title: 'Make the draw',
    fields: {
      answer: {
        label: 'Answer of a relay, if the server reaches none',
        kind: 'area',
        isShown: () => round !== null,
      },
    },
    want: ({ answer }) => {
      const signature = readSignature(answer);
      if (signature === null && answer !== '') return 'Paste all that the relay answers.';
      return { kind: 'select-entrants', input: signature === null ? {} : { signature } };
    },
    children: round !== null && (
      <p>
        <span>{`The round is public ${formatMoment(round.public_at)}.`}</span> If the server reaches
        no relay of drand, paste <a href={round.url}>what one answers</a>.
      </p>
    ),
  });

const QUIET_FIELD = {
  kind: 'time',
  isRequired: true,
  isShort: true,
  isShown: ({ quiet }: { quiet: string }) => quiet !== '',
} as const;

const startOffers = (isLater: boolean) =>
  stepForm(isLater, {
    title: 'Start the offers',
    undoNote: 'The first mails leave at once: this cannot be undone.',
    children: <MailProblem />,
    fields: {
      minutes: { ...HOURS_FIELD, label: 'Hours to answer', min: 0.17 },
      pay_hours: {
        label: 'Then hours to pay',
        kind: 'number',
        min: 1,
        max: 720,
        value: '24',
        isRequired: true,
        isShort: true,
      },
      time_zone: {
        label: 'Time zone',
        value: Intl.DateTimeFormat().resolvedOptions().timeZone,
        maxLength: 100,
        isRequired: true,
        isShort: true,
      },
      quiet: {
        label: 'Quiet hours, in which nobody is offered a mask or reminded',
        kind: 'checkbox',
        value: 'yes',
        read: () => undefined,
      },
      quiet_from: { ...QUIET_FIELD, label: 'From', value: '22:00' },
      quiet_until: { ...QUIET_FIELD, label: 'Until', value: '08:00' },
    },
    want: { kind: 'start-offers', input: {} },
  });

type Values = Readonly<Record<string, string>>;

function announce({ sizes }: DropFacts, isLater: boolean): Layer {
  const names = sizes.map(({ size }) => size);
  const isShown = (values: Values) => isDrawn(names, values);
  const hasRound = (values: Values) => isShown(values) && values.source === 'quicknet';
  const masks = sizes.map(({ size, available }) => {
    const [value, hint] = [String(Math.max(0, available)), `${available} available`];
    const label = `${size} masks`;
    const field = { label, kind: 'number', value, hint, isRequired: true, isShort: true };
    return [nameMasks(size), field];
  });
  return stepForm<string>(isLater, {
    title: 'Announce the draw',
    confirmLabel: 'Announce',
    undoNote: 'Public at once: this cannot be undone.',
    fields: {
      ...Object.fromEntries(masks),
      byRank: {
        label: 'Masks by rank',
        kind: 'number',
        value: '0',
        hint:
          'The others are drawn. A position among the first costs a cheat at most 10 EUR in ' +
          'made-up friends.',
        isRequired: true,
        isShort: true,
      },
      among: {
        label: 'Drawn among the first',
        kind: 'number',
        placeholder: 'all',
        hint:
          'Of all who take part, unless you write how many. A ticket weighs 1 to 2.5, by friends ' +
          'who confirmed.',
        isShort: true,
        isShown,
      },
      source: {
        label: 'Randomness',
        kind: 'select',
        value: 'quicknet',
        hint: (values) =>
          hasRound(values)
            ? 'A round of a public beacon: nobody can know it before its time.'
            : 'A seed of this server, whose hash is announced: members must trust that you ' +
              'did not know it.',
        options: { quicknet: 'A round of drand’s quicknet', seed: 'Commit and reveal' },
        isShown,
      },
      drawAt: {
        label: 'When the draw is',
        kind: 'moment',
        hint: 'In your time zone, 5 minutes to 30 days after the announcement.',
        isRequired: true,
        missing: 'Choose when the draw is.',
        isShown: hasRound,
      },
    },
    want: (values) => ({ kind: 'announce-draw', input: readDraw(names, values) }),
  });
}

type StepWanted = Extract<WantedChange, { kind: ScheduledStep }>;
function stepForm<Name extends string>(
  isLater: boolean,
  { fields, want, ...form }: ChangeForm<Name> & { readonly fields: FormFields<Name> },
): Layer {
  if (!isLater) return changeForm<Name>({ ...form, fields, want });
  const at = {
    label: 'Time',
    kind: 'moment',
    hint: 'In your time zone. The server does so by itself.',
    isRequired: true,
    missing: 'Choose when the server does so.',
  };
  return changeForm<Name | 'at'>({
    ...form,
    // Forms are kept by their titles: what is planned must never open as what is done now.
    title: `Plan: ${form.title}`,
    confirmLabel: 'Schedule',
    isDanger: false,
    undoNote: 'You can undo this until then, for 24 hours.',
    fields: { at, ...fields } as FormFields<Name | 'at'>,
    want: (values) => {
      const wanted = wantedBy<Name>(want, fields, values);
      return typeof wanted === 'string' ? wanted : schedule(wanted as StepWanted, values.at);
    },
  });
}

function schedule({ kind, input }: StepWanted, at: string): WantedChange {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { kind: 'schedule-step', input: { at, time_zone: timeZone, step: { [kind]: input } } };
}

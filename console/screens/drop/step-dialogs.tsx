import type { ScheduledStep } from '../../../contract/drop/step-words.ts';
import type { WantedChange } from '../../../contract/operator/changes.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { MAX_ENTRANTS, MAX_PAUSE_MESSAGE } from '../../../contract/operator/limits.ts';
import type { Layer } from '../../parts/changes.tsx';
import { type ChangeForm, changeForm } from '../../parts/forms.tsx';
import { MailProblem } from '../../parts/mail-problem.tsx';
import type { FieldValues, FormFields } from '../../ui/form-fields.tsx';
import { formatMoment } from '../../ui/formats.ts';
import {
  isDrawn,
  nameMasks,
  readDomains,
  readDraw,
  readHours,
  readSignature,
  readWhole,
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
      want: () => ({ kind: 'close-drop', input: {} }),
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
        value: String(Math.min(Math.max(members, 1), MAX_ENTRANTS)),
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
        value: '48',
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
        isShown: ({ joins }) => joins === 'stop',
      },
    },
    want: ({ message, joins, cards, hours, prepaid, ...values }) => {
      const first = readWhole(values.first) ?? 0;
      const isStop = joins === 'stop';
      if (first === 0 || first > MAX_ENTRANTS)
        return 'Write how many take part: a whole number from 1 to 10,000.';
      if (isStop && message === '') return 'Write what visitors are told while joins stop.';
      const terms = { holders_enter: values.holders !== '', losses_count: values.losses !== '' };
      const domains = readDomains(values.domains);
      const open = readWhole(hours) ?? 0;
      if (isByCard({ cards }) && (open < 24 || open > 96))
        return 'Entrants get 24 to 96 whole hours to enter.';
      const more = {
        ...(domains.length > 0 && { domains }),
        ...(isStop && { pause_message: message }),
        ...(isByCard({ cards }) && { cards: { hours: open, refuses_prepaid: prepaid !== '' } }),
      };
      return { kind: 'freeze-drop', input: { first, ...terms, ...more } };
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

const isQuiet = ({ quiet }: { quiet: string }) => quiet !== '';

const startOffers = (isLater: boolean) =>
  stepForm(isLater, {
    title: 'Start the offers',
    undoNote: 'The first mails leave at once: this cannot be undone.',
    children: <MailProblem />,
    fields: {
      hours: { label: 'Hours to answer', kind: 'decimal', value: '12', isShort: true },
      pay: { label: 'Then hours to pay', kind: 'number', value: '24', isShort: true },
      zone: {
        label: 'Time zone',
        value: Intl.DateTimeFormat().resolvedOptions().timeZone,
        maxLength: 100,
        isShort: true,
      },
      quiet: {
        label: 'Quiet hours, in which nobody is offered a mask or reminded',
        kind: 'checkbox',
        value: 'yes',
      },
      from: { label: 'From', kind: 'time', value: '22:00', isShort: true, isShown: isQuiet },
      until: { label: 'Until', kind: 'time', value: '08:00', isShort: true, isShown: isQuiet },
    },
    want: ({ hours, pay, zone, quiet, from, until }) => {
      const minutes = readHours(hours, 10);
      if (minutes === null) return 'Members get 10 minutes to 336 hours to answer.';
      const payHours = readWhole(pay) ?? 0;
      if (payHours < 1 || payHours > 720) return 'Then they get 1 to 720 whole hours to pay.';
      const hasQuiet = quiet !== '';
      if (zone === '' || (hasQuiet && (from === '' || until === '')))
        return 'Write the time zone, and when the quiet hours begin and end.';
      const hoursOfQuiet = hasQuiet && { quiet_from: from, quiet_until: until };
      const input = { minutes, pay_hours: payHours, time_zone: zone, ...hoursOfQuiet };
      return { kind: 'start-offers', input };
    },
  });

type Values = Readonly<Record<string, string>>;

function announce({ sizes }: DropFacts, isLater: boolean): Layer {
  const names = sizes.map(({ size }) => size);
  const isShown = (values: Values) => isDrawn(names, values);
  const hasRound = (values: Values) => isShown(values) && values.source === 'quicknet';
  const masks = sizes.map(({ size, available }) => {
    const [value, hint] = [String(Math.max(0, available)), `${available} available`];
    const label = `${size} masks`;
    return [nameMasks(size), { label, kind: 'number', value, hint, isShort: true }];
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
        isShown: hasRound,
      },
    },
    want: (values) => {
      const input = readDraw(names, values);
      if (input !== null) return { kind: 'announce-draw', input };
      return hasRound(values) && values.drawAt === ''
        ? 'Choose when the draw is.'
        : 'Enter whole numbers.';
    },
  });
}

type StepWanted = Extract<WantedChange, { kind: ScheduledStep }>;
type StepForm<Name extends string> = Omit<ChangeForm<Name>, 'fields' | 'want'> & {
  readonly fields: FormFields<Name>;
  readonly want: (values: FieldValues<Name>) => StepWanted | string;
};

function stepForm<Name extends string>(
  isLater: boolean,
  { fields, want, ...form }: StepForm<Name>,
): Layer {
  if (!isLater) return changeForm<Name>({ ...form, fields, want });
  const at = {
    label: 'Time',
    kind: 'moment',
    hint: 'In your time zone. The server does so by itself.',
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
      const wanted = want(values);
      if (typeof wanted === 'string') return wanted;
      return values.at === '' ? 'Choose when the server does so.' : schedule(wanted, values.at);
    },
  });
}

function schedule({ kind, input }: StepWanted, at: string): WantedChange {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { kind: 'schedule-step', input: { at, time_zone: timeZone, step: { [kind]: input } } };
}

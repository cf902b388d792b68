import type { WantedChange } from '../../../contract/operator/changes.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import type { ScheduledStep } from '../../../contract/operator/drop/schedule-changes.ts';
import { ChangeForm, type ChangeFormProps } from '../../parts/change-form.tsx';

export type StepProps = {
  readonly facts: DropFacts;
  readonly isLater?: boolean;
  readonly onClose: () => void;
};

type StepWanted = Extract<WantedChange, { kind: ScheduledStep }>;
type StepFormProps<Name extends string> = Omit<ChangeFormProps<Name>, 'want' | 'wordsOf'> & {
  readonly want: (values: Readonly<Record<Name, string>>) => StepWanted | string;
  readonly isLater: boolean;
};

export function StepForm<Name extends string>({
  fields,
  want,
  isLater,
  ...dialog
}: StepFormProps<Name>) {
  const timing = {
    when: {
      label: 'When',
      kind: 'segmented',
      value: isLater ? 'later' : 'now',
      options: { now: 'Now', later: 'At a time' },
    },
    at: {
      label: 'Time',
      kind: 'moment',
      hint: 'In your time zone. The server does so by itself.',
      isShown: ({ when }: { when: string }) => when === 'later',
    },
  };
  type Timed = Name | keyof typeof timing;
  return (
    <ChangeForm<Timed>
      {...dialog}
      fields={{ ...timing, ...fields } as ChangeFormProps<Timed>['fields']}
      want={(values) => {
        const wanted = want(values);
        if (values.when === 'now' || typeof wanted === 'string') return wanted;
        return values.at === '' ? 'Choose when the server does so.' : schedule(wanted, values.at);
      }}
      wordsOf={({ when }) =>
        when === 'now'
          ? {}
          : {
              confirmLabel: 'Schedule',
              isDanger: false,
              undoNote: 'You can undo this until then, for 24 hours.',
            }
      }
    />
  );
}

function schedule({ kind, input }: StepWanted, at: string): WantedChange {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return {
    kind: 'schedule-step',
    input: { at, time_zone: timeZone, step: { [kind]: input } },
  };
}

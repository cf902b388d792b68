import { useState } from 'react';
import type { WantedChange } from '../../../contract/operator/changes.ts';
import type { ScheduledStep } from '../../../contract/operator/drop/schedule-changes.ts';
import { ChangeDialog, type ChangeDialogProps } from '../../parts/change-dialog.tsx';
import { DateTimeField } from '../../ui/controls/date-time-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';

type StepWanted = Extract<WantedChange, { kind: ScheduledStep }>;

/** A step of the drop: taken now, or by the server at a time. */
export function StepChange({
  want,
  isLater,
  hint,
  children,
  ...dialog
}: Omit<ChangeDialogProps, 'want'> & {
  readonly want: StepWanted | null;
  /** Whether a time is asked for to begin with. */
  readonly isLater: boolean;
}) {
  const [when, setWhen] = useState(isLater ? 'later' : 'now');
  const [at, setAt] = useState('');
  const isNow = when === 'now';
  const isUntimed = !isNow && at === '';
  const scheduled = want === null || isUntimed ? null : schedule(want, at);
  return (
    <ChangeDialog
      {...dialog}
      want={isNow ? want : scheduled}
      hint={want !== null && isUntimed ? 'Choose when the server does so.' : (hint ?? '')}
      {...(!isNow && {
        confirmLabel: 'Schedule',
        isDanger: false,
        undoNote: 'You can undo this until then, for 24 hours.',
      })}
    >
      <Segmented
        label="When"
        options={[
          { value: 'now', label: 'Now' },
          { value: 'later', label: 'At a time' },
        ]}
        value={when}
        onChange={setWhen}
      />
      {!isNow && (
        <DateTimeField
          label="Time"
          hint="In your time zone. The server does so by itself."
          value={at}
          onChange={setAt}
        />
      )}
      {children}
    </ChangeDialog>
  );
}

function schedule({ kind, input }: StepWanted, at: string): WantedChange {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return {
    kind: 'schedule-step',
    input: { at, time_zone: timeZone, step: { [kind]: input } },
  };
}

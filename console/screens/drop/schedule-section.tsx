import { useQuery } from '@tanstack/react-query';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import { useState } from 'react';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import type { Schedule } from '../../../contract/operator/drop/schedule.ts';
import { scheduleQuery } from '../../api/drop.ts';
import { ChangeButton, ChangeDialog } from '../../parts/changes.tsx';
import { QueryList } from '../../parts/query-states.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { StatePill, type States } from '../../parts/state-pills.tsx';
import { Button } from '../../ui/buttons.tsx';
import { actionColumn, type Column } from '../../ui/columns.tsx';
import { DropdownMenu } from '../../ui/dropdown-menu.tsx';
import { Section } from '../../ui/frame.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { formatMoment } from '../../ui/times.ts';
import { StepDialog } from './step-dialogs.tsx';
import { SCHEDULABLE, type Step, stepsAhead } from './step-rules.ts';

type Scheduled = Schedule['steps'][number];

const STATES: States<Scheduled['state']> = {
  scheduled: ['Scheduled', 'edge'],
  done: ['Done', 'charged'],
  failed: ['Failed', 'ember'],
  cancelled: ['Taken back', 'plain'],
};

const columns: readonly Column<Scheduled>[] = [
  { header: 'Step', cell: ({ step }) => SCHEDULABLE[step].label },
  { header: 'When', cell: ({ at }) => formatMoment(at) },
  {
    header: 'State',
    cell: ({ state, failure }) => (
      <>
        <StatePill states={STATES} state={state} /> {failure}
      </>
    ),
  },
];

export function ScheduleSection({ facts }: { facts: DropFacts }) {
  const schedule = useQuery(scheduleQuery);
  const mayWrite = useMayWrite();
  const [added, setAdded] = useState<Step | null>(null);
  const [removed, setRemoved] = useState<Scheduled | null>(null);
  const ahead = stepsAhead(facts.drop);
  const takeBack = actionColumn<Scheduled>(
    'Take back',
    (row) =>
      row.state === 'scheduled' && (
        <Button
          variant="quiet"
          aria-label={`Take back: ${SCHEDULABLE[row.step].label}`}
          onClick={() => setRemoved(row)}
        >
          Take back
        </Button>
      ),
  );
  return (
    <Section
      title="Planned times"
      note={schedule.data && describePublic(schedule.data)}
      actions={
        mayWrite && (
          <>
            {schedule.data && <Publish schedule={schedule.data} />}
            {ahead.length > 0 && (
              <DropdownMenu
                trigger={
                  <Button icon={<CalendarPlus aria-hidden="true" size={16} />}>Plan a step</Button>
                }
                groups={[
                  ahead.map((step) => ({
                    label: SCHEDULABLE[step].label,
                    onSelect: () => setAdded(SCHEDULABLE[step].step),
                  })),
                ]}
              />
            )}
          </>
        )
      }
    >
      <QueryList
        query={schedule}
        label="Planned times"
        columns={mayWrite ? [...columns, takeBack] : columns}
        rows={schedule.data?.steps}
        keyOf={({ step }) => step}
        empty={
          <EmptyState title="No step has a time">
            One that has is taken by the server, whether or not somebody is here.
          </EmptyState>
        }
      />
      {added && <StepDialog step={added} facts={facts} isLater onClose={() => setAdded(null)} />}
      {removed && (
        <ChangeDialog
          title={`Take back: ${SCHEDULABLE[removed.step].label}`}
          confirmLabel="Take back"
          want={{ kind: 'unschedule-step', input: { step: removed.step } }}
          onClose={() => setRemoved(null)}
        />
      )}
    </Section>
  );
}

function Publish({ schedule: { is_public: isPublic, steps } }: { schedule: Schedule }) {
  const label = isPublic ? 'Hide the times' : 'Publish the times';
  return (
    <ChangeButton
      label={label}
      isOffered={isPublic || steps.some(({ state }) => state === 'scheduled')}
      change={{
        title: label,
        confirmLabel: isPublic ? 'Hide' : 'Publish',
        want: { kind: 'publish-schedule', input: { is_public: !isPublic } },
      }}
    />
  );
}

function describePublic({ is_public: isPublic, steps }: Schedule): string | undefined {
  if (isPublic) return 'Shown on the site';
  return steps.length === 0 ? undefined : 'Not shown on the site';
}

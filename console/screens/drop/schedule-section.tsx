import { useQuery } from '@tanstack/react-query';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import { useState } from 'react';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import type { Schedule } from '../../../contract/operator/drop/schedule.ts';
import { scheduleQuery } from '../../api/drop/drop.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Pill } from '../../ui/data/pill.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { DropdownMenu } from '../../ui/layers/dropdown-menu.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { formatMoment } from '../../ui/text/times.ts';
import { StepDialog } from './step-dialogs.tsx';
import { SCHEDULABLE, type Step, stepsAhead } from './step-rules.ts';

type Scheduled = Schedule['steps'][number];

const STATES = {
  scheduled: ['Scheduled', 'edge'],
  done: ['Done', 'charged'],
  failed: ['Failed', 'ember'],
  cancelled: ['Taken back', 'plain'],
} as const;

const columns: readonly Column<Scheduled>[] = [
  { key: 'step', header: 'Step', cell: ({ step }) => SCHEDULABLE[step].label },
  { key: 'at', header: 'When', cell: ({ at }) => formatMoment(at) },
  {
    key: 'state',
    header: 'State',
    cell: ({ state, failure }) => (
      <>
        <Pill tone={STATES[state][1]}>{STATES[state][0]}</Pill> {failure}
      </>
    ),
  },
];

/** What the server does by itself, and whether the site shows the times. */
export function ScheduleSection({ facts }: { facts: DropFacts }) {
  const schedule = useQuery(scheduleQuery);
  const mayWrite = useMayWrite();
  const [added, setAdded] = useState<Step | null>(null);
  const [removed, setRemoved] = useState<Scheduled | null>(null);
  const ahead = stepsAhead(facts.drop);
  const takeBack: Column<Scheduled> = {
    key: 'take-back',
    header: 'Take back',
    isNarrow: true,
    isAction: true,
    cell: (row) =>
      row.state === 'scheduled' && (
        <Button
          variant="quiet"
          aria-label={`Take back: ${SCHEDULABLE[row.step].label}`}
          onClick={() => setRemoved(row)}
        >
          Take back
        </Button>
      ),
  };
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
      <StaleNotice query={schedule} />
      {schedule.data?.steps.length === 0 ? (
        <p className="quiet">
          No step has a time. One that has is taken by the server, whether or not somebody is here.
        </p>
      ) : (
        <Table
          label="Planned times"
          columns={mayWrite ? [...columns, takeBack] : columns}
          rows={schedule.data?.steps}
          keyOf={({ step }) => step}
          nameOf={({ step }) => SCHEDULABLE[step].label}
          error={errorFaceOf(schedule)}
          empty={null}
        />
      )}
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
  const [isAsked, setAsked] = useState(false);
  if (!isPublic && steps.every(({ state }) => state !== 'scheduled')) return null;
  const label = isPublic ? 'Hide the times' : 'Publish the times';
  return (
    <>
      <Button onClick={() => setAsked(true)}>{label}</Button>
      {isAsked && (
        <ChangeDialog
          title={label}
          confirmLabel={isPublic ? 'Hide' : 'Publish'}
          want={{ kind: 'publish-schedule', input: { is_public: !isPublic } }}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

function describePublic({ is_public: isPublic, steps }: Schedule): string | undefined {
  if (isPublic) return 'Shown on the site';
  return steps.length === 0 ? undefined : 'Not shown on the site';
}

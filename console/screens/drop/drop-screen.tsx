import { useQuery } from '@tanstack/react-query';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import Check from 'lucide-react/icons/check';
import { Link, useLocation } from 'wouter';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import type { Schedule } from '../../../contract/operator/drop/schedule.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { call, useRead } from '../../api/queries.ts';
import {
  ActionButton,
  useAction,
  useLayerItem,
  useMayWrite,
  useShow,
} from '../../parts/changes.tsx';
import { changeForm } from '../../parts/forms.tsx';
import { ListSection, QueryContent, Screen } from '../../parts/screen.tsx';
import { StatePill, type States } from '../../parts/state-pills.tsx';
import { Button } from '../../ui/buttons.tsx';
import { DropdownMenu } from '../../ui/dropdown-menu.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatMinute, formatMoment } from '../../ui/formats.ts';
import { actionColumn, type Column } from '../../ui/table.tsx';
import { DropFigures, PublishedSection } from './drop-figures.tsx';
import { dropQuery, OfferingNotice, REFRESH_MS } from './steer-offers.tsx';
import { stepDialog } from './step-dialogs.tsx';
import {
  describeRule,
  nextStepOf,
  type Progress,
  progressOf,
  STATES,
  STEPS,
  type Step,
  stepsAhead,
  timeOf,
} from './step-rules.ts';
import { TillSection } from './till-section.tsx';

export function DropScreen() {
  const query = useQuery(dropQuery);
  const number = query.data?.drop.number;
  return (
    <Screen
      title={number === undefined ? 'Drop' : `Drop ${number}`}
      name="Drop"
      note="From the frozen line to masks in the hands of members."
      actions={
        <a className="button button-secondary" href={pagePaths.draw} target="_blank" rel="noopener">
          What everybody sees
        </a>
      }
    >
      <QueryContent query={query} lines={8}>
        {(facts) => (
          <>
            <OfferingNotice />
            <StepLine facts={facts} />
            <NextStep facts={facts} />
            <ScheduleSection facts={facts} />
            <TillSection />
            <DropFigures facts={facts} />
            <PublishedSection facts={facts} />
          </>
        )}
      </QueryContent>
    </Screen>
  );
}

const PROGRESS: Readonly<Record<Progress, string>> = {
  done: 'Done',
  current: 'Now',
  ahead: 'Ahead',
};

function StepLine({ facts }: { facts: DropFacts }) {
  return (
    <ol className="step-line" aria-label="The steps of a drop">
      {STATES.map(({ state, name, about }, index) => {
        const progress = progressOf(state, facts.drop.state);
        const at = timeOf(state, facts);
        return (
          <li
            key={state}
            data-progress={progress}
            aria-current={progress === 'current' ? 'step' : undefined}
          >
            <span className="step-mark" aria-hidden="true">
              {progress === 'done' ? <Check size={16} /> : index + 1}
            </span>
            <h2 className="step-name">{name}</h2>
            <p className="label">{PROGRESS[progress]}</p>
            <p className="step-about">{about}</p>
            {at !== null && (
              <p className="step-time">
                <time dateTime={at}>{formatMinute(at)}</time>
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function NextStep({ facts }: { facts: DropFacts }) {
  const mayWrite = useMayWrite();
  const show = useShow();
  const open = (step: Step) => show(stepDialog(step, facts));
  const { state, announcement } = facts.drop;
  const next = nextStepOf(facts);
  // The step that ends the offers for good must not be the most visible button.
  const isOffering = state === 'offering';
  return (
    <Section title="Next step">
      <div className="next-step">
        <div>
          <p className="next-step-name">{next.title ?? next.label}</p>
          <p>{next.about}</p>
          <p className="quiet">{next.undo}</p>
        </div>
        {mayWrite ? (
          <div className="actions">
            <Button variant={isOffering ? 'secondary' : 'primary'} onClick={() => open(next.step)}>
              {next.label}
            </Button>
            {state === 'open' && (
              <Link className="button button-secondary" href="/first">
                Look at the first before you freeze
              </Link>
            )}
            {isOffering && (
              <Link className="button button-primary" href="/offers">
                Show the offers
              </Link>
            )}
            {state === 'frozen' && announcement === null && (
              <Button onClick={() => open('unfreeze-drop')}>Undo the freeze</Button>
            )}
            {state === 'frozen' && <TellMembers facts={facts} />}
            {(state === 'frozen' || state === 'selected') && (
              <Button variant="quiet" onClick={() => open('close-drop')}>
                Close the drop
              </Button>
            )}
          </div>
        ) : (
          <p className="quiet">Owners take the steps of a drop.</p>
        )}
      </div>
    </Section>
  );
}

type Scheduled = Schedule['steps'][number];

const SCHEDULE_STATES: States<Scheduled['state']> = {
  scheduled: ['Scheduled', 'edge'],
  done: ['Done', 'charged'],
  failed: ['Failed', 'ember'],
  cancelled: ['Taken back', 'plain'],
};

const scheduleColumns: readonly Column<Scheduled>[] = [
  { header: 'Step', cell: ({ step }) => STEPS[step].label },
  { header: 'When', cell: ({ at }) => formatMoment(at) },
  {
    header: 'State',
    cell: ({ state, failure }) => (
      <>
        <StatePill states={SCHEDULE_STATES} state={state} /> {failure}
      </>
    ),
  },
  actionColumn('Take back', ({ step, state }) => {
    const title = `Take back: ${STEPS[step].label}`;
    return (
      <ActionButton
        label="Take back"
        variant="quiet"
        aria-label={title}
        isOffered={state === 'scheduled'}
        dialog={changeForm({
          title,
          confirmLabel: 'Take back',
          want: { kind: 'unschedule-step', input: { step } },
        })}
      />
    );
  }),
];

function ScheduleSection({ facts }: { facts: DropFacts }) {
  const schedule = useRead('GET schedule', { refetchInterval: REFRESH_MS });
  const mayWrite = useMayWrite();
  const item = useLayerItem();
  const ahead = stepsAhead(facts.drop);
  return (
    <ListSection
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
                  ahead.map((step) => item(STEPS[step].label, stepDialog(step, facts, true))),
                ]}
              />
            )}
          </>
        )
      }
      query={schedule}
      label="Planned times"
      columns={scheduleColumns}
      rows={schedule.data?.steps}
      keyOf={({ step }) => step}
      emptyTitle="No step has a time"
      empty="One that has is taken by the server, whether or not somebody is here."
    />
  );
}

function Publish({ schedule: { is_public: isPublic, steps } }: { schedule: Schedule }) {
  return (
    <ActionButton
      isOffered={isPublic || steps.some(({ state }) => state === 'scheduled')}
      dialog={changeForm({
        title: isPublic ? 'Hide the times' : 'Publish the times',
        confirmLabel: isPublic ? 'Hide' : 'Publish',
        want: { kind: 'publish-schedule', input: { is_public: !isPublic } },
      })}
    />
  );
}

function describePublic({ is_public: isPublic, steps }: Schedule): string | undefined {
  if (isPublic) return 'Shown on the site';
  return steps.length === 0 ? undefined : 'Not shown on the site';
}

/** A mail to the whole line about the last step. It ends with the hash, as campaigns do then. */

const KEEP =
  'Your place on the list is on your page: {status_link}\n\n' +
  'Keep this mail. The hash at its end proves what was fixed: nobody can change it without ' +
  'another hash.';

function draftAbout({ drop: { announcement }, round }: DropFacts) {
  if (announcement === null)
    return {
      subject: 'The line is frozen',
      body: `The order of the line is fixed, and the list is public, without addresses.\n\n${KEEP}`,
    };
  const time = round && new Date(round.public_at).toISOString().replace(/T(\d+:\d+).*/, ' $1 UTC');
  const randomness = time
    ? ` Its randomness is public on ${time}, and known to nobody before.`
    : '';
  return {
    subject: 'The draw is announced',
    body: `How the masks are given: ${describeRule(announcement)}${randomness}\n\n${KEEP}`,
  };
}

/** Finds the draft about the step, or writes it: a second press makes no second mail. */
async function findDraft(facts: DropFacts) {
  const wanted = draftAbout(facts);
  const since = Date.parse(facts.drop.frozen_at ?? '');
  const { campaigns } = await call('GET campaigns');
  const found = campaigns.find(
    ({ state, subject, created_at }) =>
      state === 'draft' && subject === wanted.subject && Date.parse(created_at) > since,
  );
  return found ?? (await call('POST campaigns', { body: { ...wanted, filter: {} } }));
}

/** Writes a draft and leads to it: nothing is sent. */
function TellMembers({ facts }: { facts: DropFacts }) {
  const [, navigate] = useLocation();
  const { mutate, isPending } = useAction(() => findDraft(facts), {
    failed: 'No draft was written',
    onDone: ({ campaign }) => navigate(`/campaigns?open=${campaign}`),
  });
  return (
    <Button isBusy={isPending} onClick={() => mutate(undefined)}>
      Write to the line about it
    </Button>
  );
}

import { useQuery } from '@tanstack/react-query';
import Check from 'lucide-react/icons/check';
import { useState } from 'react';
import { Link } from 'wouter';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { dropQuery } from '../../api/drop.ts';
import { QueryContent } from '../../parts/query-states.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/buttons.tsx';
import { Section } from '../../ui/frame.tsx';
import { formatMinute } from '../../ui/times.ts';
import { DropFigures, PublishedSection } from './drop-figures.tsx';
import { ScheduleSection } from './schedule-section.tsx';
import { StepDialog } from './step-dialogs.tsx';
import { nextStepOf, type Progress, progressOf, STATES, type Step, timeOf } from './step-rules.ts';

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
            <StepLine facts={facts} />
            <NextStep facts={facts} />
            <ScheduleSection facts={facts} />
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
  const [opened, setOpened] = useState<Step | null>(null);
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
            <Button
              variant={isOffering ? 'secondary' : 'primary'}
              onClick={() => setOpened(next.step)}
            >
              {next.label}
            </Button>
            {isOffering && (
              <Link className="button button-primary" href="/offers">
                Show the offers
              </Link>
            )}
            {state === 'frozen' && announcement === null && (
              <Button onClick={() => setOpened('unfreeze')}>Undo the freeze</Button>
            )}
            {(state === 'frozen' || state === 'selected') && (
              <Button variant="quiet" onClick={() => setOpened('close')}>
                Close the drop
              </Button>
            )}
          </div>
        ) : (
          <p className="quiet">Owners take the steps of a drop.</p>
        )}
      </div>
      {opened && <StepDialog step={opened} facts={facts} onClose={() => setOpened(null)} />}
    </Section>
  );
}

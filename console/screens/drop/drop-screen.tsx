import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { dropQuery } from '../../api/drop/drop.ts';
import { QueryFace } from '../../parts/query-face.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { useTitle } from '../../routing/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { DropFigures } from './drop-figures.tsx';
import { PublishedSection } from './published-section.tsx';
import { ScheduleSection } from './schedule-section.tsx';
import { StepDialog } from './step-dialogs.tsx';
import { StepLine } from './step-line.tsx';
import { nextStepOf, type Step } from './step-rules.ts';

/** Launch day: where the drop stands, what comes next, and what everybody can check. */
export function DropScreen() {
  useTitle('Drop');
  const facts = useQuery(dropQuery);
  const number = facts.data?.drop.number;
  return (
    <>
      <PageHeader
        title={number === undefined ? 'Drop' : `Drop ${number}`}
        note="From the frozen line to masks in the hands of members."
        actions={
          <a
            className="button button-secondary"
            href={pagePaths.draw()}
            target="_blank"
            rel="noopener"
          >
            What everybody sees
          </a>
        }
      />
      <QueryFace query={facts} lines={8}>
        {(data) => (
          <>
            <StepLine facts={data} />
            <NextStep facts={data} />
            <ScheduleSection facts={data} />
            <DropFigures facts={data} />
            <PublishedSection facts={data} />
          </>
        )}
      </QueryFace>
    </>
  );
}

/** What the next step does, its button, and the other ways from here. */
function NextStep({ facts }: { facts: DropFacts }) {
  const mayWrite = useMayWrite();
  const [opened, setOpened] = useState<Step | null>(null);
  const { state, announcement } = facts.drop;
  const next = nextStepOf(facts);
  // What ends the offers for good must not be what a hand is drawn to.
  const isOffering = state === 'offering';
  const mayUnfreeze = state === 'frozen' && announcement === null;
  const mayClose = state === 'frozen' || state === 'selected';
  return (
    <Section title="Next step">
      <div className="next-step">
        <div>
          <p className="next-step-name">{next.title ?? next.label}</p>
          <p>{next.about}</p>
          <p className="quiet">{next.undo}</p>
        </div>
        {mayWrite ? (
          <div className="next-step-actions">
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
            {mayUnfreeze && <Button onClick={() => setOpened('unfreeze')}>Undo the freeze</Button>}
            {mayClose && (
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

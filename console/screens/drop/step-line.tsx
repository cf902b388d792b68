import Check from 'lucide-react/icons/check';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { formatMinute } from '../../ui/text/times.ts';
import { type Progress, progressOf, STATES, timeOf } from './step-rules.ts';

const WORDS: Readonly<Record<Progress, string>> = {
  done: 'Done',
  current: 'Now',
  ahead: 'Ahead',
};

/** The five states in their order: beside each other on a desk, below each other on a phone. */
export function StepLine({ facts }: { facts: DropFacts }) {
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
            <p className="label">{WORDS[progress]}</p>
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

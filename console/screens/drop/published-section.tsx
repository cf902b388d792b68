import type { ReactNode } from 'react';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { CodeText } from '../../ui/data/code-text.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { KeyValues } from '../../ui/data/key-values.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { formatCount } from '../../ui/text/numbers.ts';
import { formatMoment } from '../../ui/text/times.ts';
import { describeRule } from './step-rules.ts';

/** What everybody can see and check: hashes, rule and randomness. */
export function PublishedSection({ facts }: { facts: DropFacts }) {
  const { list_hash, announcement, announcement_hash } = facts.drop;
  return (
    <Section title="Published">
      {list_hash === null ? (
        <EmptyFace title="Nothing is public yet">
          The hash of the list is published with the freeze, the rule with the announcement.
        </EmptyFace>
      ) : (
        <>
          <KeyValues
            entries={[
              ['List', <CodeText key="list" label="the hash of the list" value={list_hash} />],
              ...(announcement === null || announcement_hash === null
                ? []
                : ([
                    [
                      'Announcement',
                      <CodeText
                        key="announcement"
                        label="the hash of the announcement"
                        value={announcement_hash}
                      />,
                    ],
                    ['Announced', formatMoment(announcement.announced_at)],
                    ['Rule', describeRule(announcement)],
                    ['Randomness', describeRandomness(facts)],
                  ] as const)),
            ]}
          />
          <p className="drop-note quiet">
            Anyone can recompute the draw on <a href={pagePaths.draw()}>the page of the draw</a>.
          </p>
        </>
      )}
    </Section>
  );
}

function describeRandomness({ drop, round }: DropFacts): ReactNode {
  const randomness = drop.announcement?.randomness;
  if (randomness?.source === 'seed')
    return <CodeText label="the hash of the seed" value={randomness.commitment} />;
  if (randomness?.source !== 'quicknet' || round === null) return 'None: nothing is drawn.';
  return (
    <span>
      Round {formatCount(randomness.round)} of quicknet, public {formatMoment(round.public_at)}
    </span>
  );
}

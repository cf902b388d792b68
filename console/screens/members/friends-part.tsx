import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Friends, MemberSheet } from '../../../contract/operator/member-sheet.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { fillPath } from '../../../contract/paths.ts';
import { readPages } from '../../api/queries.ts';
import { MoreButton, QueryContent } from '../../parts/query-states.tsx';
import { StatePill } from '../../parts/state-pills.tsx';
import { Address, Pill, Section } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/formats.ts';
import { CREDITS } from './filter-rules.ts';

const STATES = ['given', 'pending', 'held', 'refused'] as const;

type FriendsPartProps = {
  readonly sheet: Pick<MemberSheet, 'member' | 'friends'>;
  readonly hrefOf: (id: string) => string;
};

export function FriendsPart({ sheet: { member, friends }, hrefOf }: FriendsPartProps) {
  const counted = STATES.filter((state) => friends[state] > 0);
  const note = counted
    .map((state) => `${formatCount(friends[state])} ${CREDITS[state][0].toLowerCase()}`)
    .join(', ');
  const query = useInfiniteQuery({
    ...readPages<Friends>(fillPath(operatorPaths.friends, member.id)),
    enabled: counted.length > 0,
  });
  return (
    <Section title="Friends" note={note || 'None in line'}>
      {counted.length > 0 && (
        <QueryContent query={query}>
          {({ pages }) => (
            <ul className="item-list">
              {pages
                .flatMap(({ members }) => members)
                .map(({ id, email, position, credit, confirmed_at }) => (
                  <li key={id}>
                    <Link href={hrefOf(id)}>
                      <Address email={email} />
                    </Link>
                    <span className="count">{`#${formatCount(position)}`}</span>
                    <StatePill states={CREDITS} state={credit} />
                    {confirmed_at === null && <Pill>Not confirmed</Pill>}
                  </li>
                ))}
            </ul>
          )}
        </QueryContent>
      )}
      <MoreButton query={query} label="Show more friends" />
    </Section>
  );
}

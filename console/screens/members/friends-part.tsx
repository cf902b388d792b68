import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { MemberSheet } from '../../../contract/operator/member-sheet.ts';
import { friendsQuery } from '../../api/members.ts';
import { errorStateOf, MoreButton } from '../../parts/query-states.tsx';
import { Address, Pill } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/formats.ts';
import { Section } from '../../ui/frame.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { CREDIT_LABELS } from './filter-rules.ts';
import { CreditPill } from './member-columns.tsx';

const STATES = ['given', 'pending', 'held', 'refused'] as const;

type FriendsPartProps = {
  readonly sheet: Pick<MemberSheet, 'member' | 'friends'> & Partial<Pick<MemberSheet, 'page'>>;
  readonly hrefOf: (id: string) => string;
};

export function FriendsPart({ sheet: { member, friends, page }, hrefOf }: FriendsPartProps) {
  const counted = STATES.filter((state) => friends[state] > 0).map(
    (state) => `${formatCount(friends[state])} ${CREDIT_LABELS[state].toLowerCase()}`,
  );
  return (
    <Section title="Friends" note={counted.length === 0 ? 'None in line' : counted.join(', ')}>
      {counted.length > 0 && (
        <FriendList
          memberId={member.id}
          isConfirming={page?.is_confirmed !== undefined}
          hrefOf={hrefOf}
        />
      )}
    </Section>
  );
}

type FriendListProps = Pick<FriendsPartProps, 'hrefOf'> & {
  readonly memberId: string;
  /** Friends must confirm, for the line to count them or a frozen one. */
  readonly isConfirming: boolean;
};

function FriendList({ memberId, isConfirming, hrefOf }: FriendListProps) {
  const query = useInfiniteQuery(friendsQuery(memberId));
  if (query.data === undefined) return errorStateOf(query) ?? <Skeleton lines={3} />;
  return (
    <>
      <ul className="item-list">
        {query.data.pages
          .flatMap(({ members }) => members)
          .map(({ id, email, position, credit, confirmed_at }) => (
            <li key={id}>
              <Link href={hrefOf(id)}>
                <Address email={email} />
              </Link>
              <span className="count">#{formatCount(position)}</span>
              <CreditPill credit={credit} />
              {isConfirming && confirmed_at === null && <Pill>Not confirmed</Pill>}
            </li>
          ))}
      </ul>
      <MoreButton query={query} label="Show more friends" />
    </>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { MemberSheet } from '../../../../contract/operator/member-sheet.ts';
import { friendsQuery } from '../../../api/members.ts';
import { CREDIT_LABELS } from '../../../parts/member-filter/filter-rules.ts';
import { errorFaceOf } from '../../../parts/query-face.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Skeleton } from '../../../ui/data/skeleton.tsx';
import { Section } from '../../../ui/frame/section.tsx';
import { Address } from '../../../ui/text/address.tsx';
import { formatCount } from '../../../ui/text/numbers.ts';
import { CreditPill } from '../member-columns.tsx';

const STATES = ['given', 'pending', 'held', 'refused'] as const;

/** The friends that a member brought, each with the credit for them, oldest first. */
export function FriendsPart({
  sheet: { member, friends },
  hrefOf,
}: {
  sheet: Pick<MemberSheet, 'member' | 'friends'>;
  hrefOf: (id: string) => string;
}) {
  const counted = STATES.filter((state) => friends[state] > 0).map(
    (state) => `${formatCount(friends[state])} ${CREDIT_LABELS[state].toLowerCase()}`,
  );
  return (
    <Section title="Friends" note={counted.length === 0 ? 'None in line' : counted.join(', ')}>
      {counted.length > 0 && <FriendList memberId={member.id} hrefOf={hrefOf} />}
    </Section>
  );
}

function FriendList({ memberId, hrefOf }: { memberId: string; hrefOf: (id: string) => string }) {
  const query = useInfiniteQuery(friendsQuery(memberId));
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  if (data === undefined) return errorFaceOf(query) ?? <Skeleton lines={3} />;
  return (
    <>
      <ul className="friend-list">
        {data.pages
          .flatMap(({ members }) => members)
          .map((friend) => (
            <li key={friend.id}>
              <Link href={hrefOf(friend.id)}>
                <Address email={friend.email} />
              </Link>
              <span className="code-count">#{formatCount(friend.position)}</span>
              <CreditPill credit={friend.credit} />
            </li>
          ))}
      </ul>
      {hasNextPage && (
        <Button onClick={() => fetchNextPage()} isBusy={isFetchingNextPage}>
          Show more friends
        </Button>
      )}
    </>
  );
}

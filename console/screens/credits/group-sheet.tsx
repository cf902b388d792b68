import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { CreditGroup, HeldCredits } from '../../../contract/operator/credits/credits.ts';
import { heldCreditsQuery } from '../../api/credits/credits.ts';
import { hasStatus } from '../../api/request-error.ts';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { describeRule } from '../../parts/rule-words.ts';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CodeText } from '../../ui/data/code-text.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { KeyValues } from '../../ui/data/key-values.tsx';
import { Skeleton } from '../../ui/data/skeleton.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts.ts';
import { SideSheet } from '../../ui/layers/side-sheet.tsx';
import { formatAmount, formatCount } from '../../ui/text/numbers.ts';
import { formatMoment } from '../../ui/text/times.ts';
import { FriendsPart } from '../members/sheet/friends-part.tsx';
import { DecideDialog, HoldDialog } from './credit-dialogs.tsx';
import { GroupPills } from './group-columns.tsx';
import { HeldList } from './held-list.tsx';

const hrefOf = (id: string) => `/members?open=${id}`;

/** The held credits of one code, why they are held, and all that can be decided about them. */
export function GroupSheet({ referrerId, onClose }: { referrerId: string; onClose: () => void }) {
  const query = useInfiniteQuery(heldCreditsQuery(referrerId));
  const [first] = query.data?.pages ?? [];
  const isGone = hasStatus(query.error, 404);
  return (
    <SideSheet title={first?.group.referrer.email ?? 'Credits of a code'} onClose={onClose}>
      {isGone && (
        <EmptyFace title="Not in line any more">
          This member has left, and the credits for their friends with them.
        </EmptyFace>
      )}
      {!isGone && first === undefined && (errorFaceOf(query) ?? <Skeleton lines={8} />)}
      {!isGone && first !== undefined && <GroupParts group={first.group} query={query} />}
    </SideSheet>
  );
}

type GroupQuery = UseInfiniteQueryResult<{ pages: HeldCredits[] }>;

function GroupParts({ group, query }: { group: CreditGroup; query: GroupQuery }) {
  const { referrer, friends, rules, since, second_look_at: askedAt } = group;
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const credits = data?.pages.flatMap((page) => page.credits) ?? [];
  return (
    <div className="sheet-parts">
      <StaleNotice query={query} />
      <GroupActions group={group} />
      <GroupPills group={group} />
      <KeyValues
        entries={[
          [
            'Invited by',
            <Link key="by" href={hrefOf(referrer.id)}>
              {referrer.email}, #{formatCount(referrer.position)}
            </Link>,
          ],
          ['Code', <CodeText key="code" label="the code" value={referrer.referral_code} />],
          ['Held since', friends.held === 0 ? null : formatMoment(since)],
          ['Second look', askedAt === null ? null : `Asked for ${formatMoment(askedAt)}`],
        ]}
      />
      {rules.length > 0 && (
        <Section title="Why">
          <ul className="rule-list">
            {rules.map(({ rule, credits: count }) => (
              <li key={rule}>
                <span>{describeRule(rule)}</span>
                <span className="code-count">{formatCount(count)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Held" note={formatAmount(friends.held, 'credit')}>
        {credits.length === 0 ? (
          <p className="quiet">Nothing of this code waits any more.</p>
        ) : (
          <HeldList credits={credits} hrefOf={hrefOf} />
        )}
        {hasNextPage && (
          <Button onClick={() => fetchNextPage()} isBusy={isFetchingNextPage}>
            Show more held credits
          </Button>
        )}
      </Section>
      <FriendsPart sheet={{ member: referrer, friends }} hrefOf={hrefOf} />
    </div>
  );
}

type Action = 'given' | 'refused' | 'hold';

/** For the whole code. Keys: a, x and h. */
function GroupActions({ group }: { group: CreditGroup }) {
  const { referrer, friends, is_on_hold: isOnHold } = group;
  const code = referrer.referral_code;
  const mayWrite = useMayWrite();
  const [action, setAction] = useState<Action | null>(null);
  const close = () => setAction(null);
  const isWaiting = friends.held > 0;
  useShortcuts({
    ...(mayWrite && isWaiting && { a: () => setAction('given'), x: () => setAction('refused') }),
    ...(mayWrite && { h: () => setAction('hold') }),
  });
  if (!mayWrite) return null;
  return (
    <div className="held-actions">
      {isWaiting && (
        <>
          <Button variant="primary" onClick={() => setAction('given')}>
            Approve all
          </Button>
          <Button onClick={() => setAction('refused')}>Refuse all</Button>
        </>
      )}
      <Button onClick={() => setAction('hold')}>
        {isOnHold ? 'Release the code' : 'Hold further credits'}
      </Button>
      {(action === 'given' || action === 'refused') && (
        <DecideDialog
          verdict={action}
          title={`${action === 'given' ? 'Approve' : 'Refuse'} all held credits of ${code}`}
          target={{ code, again: true }}
          onClose={close}
        />
      )}
      {action === 'hold' && <HoldDialog code={code} isOnHold={isOnHold} onClose={close} />}
    </div>
  );
}

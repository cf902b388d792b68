import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { describeRule } from '../../../contract/fraud-rules.ts';
import type { CreditGroup, HeldCredits } from '../../../contract/operator/credits/credits.ts';
import { heldCreditsQuery } from '../../api/fairness.ts';
import { hasStatus } from '../../api/request.ts';
import { ActionButton, useShow } from '../../parts/changes.tsx';
import { MoreButton, QueryContent } from '../../parts/query-states.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Address, CodeText, KeyValues, Pill, RelativeTime } from '../../ui/facts.tsx';
import { formatAmount, formatCount, formatMoment } from '../../ui/formats.ts';
import { Section } from '../../ui/section.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { FriendsPart } from '../members/friends-part.tsx';
import {
  DecideButtons,
  decide,
  distrust,
  holdCode,
  releaseCode,
  trust,
} from './credit-dialogs.tsx';

const hrefOf = (id: string) => `/members?open=${id}`;

export function GroupSheet({ referrerId, onClose }: { referrerId: string; onClose: () => void }) {
  const query = useInfiniteQuery(heldCreditsQuery(referrerId));
  const title = query.data?.pages[0]?.group.referrer.email ?? 'Friends to check';
  return (
    <SideSheet title={title} onClose={onClose}>
      {hasStatus(query.error, 404) ? (
        <EmptyState title="Not in line any more">
          This member has left, and gets nothing for their friends any more.
        </EmptyState>
      ) : (
        <QueryContent query={query} lines={8}>
          {({ pages }) => <GroupParts pages={pages} query={query} />}
        </QueryContent>
      )}
    </SideSheet>
  );
}

type GroupPartsProps = { pages: readonly HeldCredits[]; query: UseInfiniteQueryResult };

function GroupParts({ pages, query }: GroupPartsProps) {
  const [first] = pages;
  if (first === undefined) return null;
  const { group } = first;
  const { referrer, friends, rules, since, second_look_at: askedAt } = group;
  const credits = pages.flatMap((page) => page.credits);
  return (
    <div className="sheet-parts">
      <GroupActions group={group} />
      <GroupPills group={group} />
      <KeyValues
        entries={{
          'Invited by': (
            <Link href={hrefOf(referrer.id)}>
              {`${referrer.email}, #${formatCount(referrer.position)}`}
            </Link>
          ),
          Code: <CodeText label="the code" value={referrer.referral_code} />,
          'Waiting since': friends.held === 0 ? null : formatMoment(since),
          'Second look': askedAt && `Asked for ${formatMoment(askedAt)}`,
        }}
      />
      {rules.length > 0 && (
        <Section title="Why">
          <ul className="item-list">
            {rules.map(({ rule, credits: count }) => (
              <li key={rule}>
                <span>{describeRule(rule)}</span>
                <span className="count">{formatCount(count)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="To check" note={formatAmount(friends.held, 'friend')}>
        {credits.length === 0 ? (
          <p className="quiet">No friend of this code waits.</p>
        ) : (
          <HeldList credits={credits} holdAt={first.hold_at} />
        )}
        <MoreButton query={query} label="Show more friends to check" />
      </Section>
      <FriendsPart sheet={{ member: referrer, friends }} hrefOf={hrefOf} />
    </div>
  );
}

export function GroupPills({ group: { is_on_hold, second_look_at } }: { group: CreditGroup }) {
  if (!is_on_hold && second_look_at === null) return null;
  return (
    <span className="pills">
      {second_look_at !== null && <Pill tone="charged">Second look asked</Pill>}
      {is_on_hold && <Pill tone="edge">Always checked</Pill>}
    </span>
  );
}

function GroupActions({ group }: { group: CreditGroup }) {
  const { referrer, friends, is_on_hold: isOnHold } = group;
  const code = referrer.referral_code;
  const mayWrite = useMayWrite();
  const show = useShow();
  const isWaiting = friends.held > 0;
  const hold = isOnHold ? releaseCode(code) : holdCode(code);
  const decision = {
    what: `all waiting friends of ${code}`,
    isSuspect: group.score > 0,
    target: { code, again: true },
  };
  useShortcuts({
    ...(mayWrite &&
      isWaiting && {
        a: () => show(decide('given', decision)),
        x: () => show(decide('refused', decision)),
      }),
    ...(mayWrite && { h: () => show(hold) }),
  });
  if (!mayWrite) return null;
  return (
    <div className="actions">
      {isWaiting && <DecideButtons {...decision} wordsOf={(verb) => ({ label: `${verb} all` })} />}
      <ActionButton
        label={isOnHold ? 'Stop checking new friends' : 'Check every new friend'}
        dialog={hold}
      />
    </div>
  );
}

type HeldCredit = HeldCredits['credits'][number];

const HELD_BY = {
  join: 'Found when they joined.',
  operator: 'Put here by an operator.',
} as const;

type HeldListProps = { readonly credits: readonly HeldCredit[]; readonly holdAt: number };

function HeldList({ credits, holdAt }: HeldListProps) {
  return (
    <ul className="item-list">
      {credits.map((credit) => {
        const { id, email, position, since, held_by, credit_reasons: rules, score } = credit;
        return (
          <li key={id}>
            <Link href={hrefOf(id)}>
              <Address email={email} />
            </Link>
            <span className="count">{`#${formatCount(position)}`}</span>
            <RelativeTime at={since} />
            <ul className="held-reasons">
              {rules.map((rule) => (
                <li key={rule}>{describeRule(rule)}</li>
              ))}
              <li>
                {score > 0
                  ? `${HELD_BY[held_by]} Score ${formatCount(score)}: ` +
                    `from ${formatCount(holdAt)} on, friends wait.`
                  : HELD_BY[held_by]}
              </li>
            </ul>
            <HeldActions credit={credit} />
          </li>
        );
      })}
    </ul>
  );
}

function HeldActions({ credit }: { credit: HeldCredit }) {
  const { id, email, network, held_by, score } = credit;
  const mayWrite = useMayWrite();
  const show = useShow();
  if (!mayWrite) return null;
  // An operator's own decision stands unless it is asked for again.
  const target = { member_ids: [id], ...(held_by === 'operator' && { again: true }) };
  const label = network === 'known' ? 'Trust the network' : 'Distrust the network';
  return (
    <div className="actions">
      <DecideButtons
        what={email}
        isSuspect={score > 0}
        target={target}
        wordsOf={(decide) => ({ label: decide, 'aria-label': `${decide} ${email}` })}
      />
      {network === 'gone' ? (
        <span className="quiet">It is not known where they joined from.</span>
      ) : (
        <ActionButton
          label={label}
          variant="quiet"
          aria-label={`${label} of ${email}`}
          dialog={network === 'known' ? trust(credit, show) : distrust(credit)}
        />
      )}
    </div>
  );
}

import { Link } from 'wouter';
import type { FirstMember, PeopleGroup } from '../../../contract/operator/first-in-line.ts';
import { Address, CodeText, KeyValues, Section } from '../../ui/facts.tsx';
import { formatCount, formatMoment } from '../../ui/formats.ts';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { GroupActions, LookButton } from './first-actions.tsx';
import { describeFriends, describeGroup } from './first-words.ts';

type FirstSheetProps = {
  readonly row: FirstMember;
  readonly isListed: boolean;
  readonly next: string | null;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
};

const keyOf = ({ by, name, member_ids: ids }: PeopleGroup) => `${by} ${name ?? ids[0]}`;

export function FirstSheet({ row, isListed, next, onOpen, onClose }: FirstSheetProps) {
  const { member, place, looked, invited_by: inviter, friends } = row;
  return (
    <SideSheet title={member.email} onClose={onClose}>
      <div className="sheet-parts">
        <LookButton row={row} onLooked={() => (next === null ? onClose() : onOpen(next))} />
        <KeyValues
          entries={{
            Place: isListed
              ? `#${formatCount(place)} at a freeze, #${formatCount(member.position)} in line`
              : 'No longer among the first; below is how it was',
            'Invited by': inviter && (
              <Link href={`/members?open=${inviter.id}`}>
                <Address email={inviter.email} />
              </Link>
            ),
            Friends: describeFriends(friends),
            Code: <CodeText label="the code" value={member.referral_code} />,
            'Looked at': looked && `${looked.by}, ${formatMoment(looked.at)}`,
          }}
        />
        <Section title="Friends who are alike">
          {row.friend_groups.length === 0 ? (
            <p className="quiet">No two of them share a domain or a network.</p>
          ) : (
            <ul className="item-list">
              {row.friend_groups.map((group) => (
                <li key={keyOf(group)}>
                  <span>{describeGroup(group, 'friend')}</span>
                  <GroupActions group={group} code={member.referral_code} />
                </li>
              ))}
            </ul>
          )}
        </Section>
        <Section title="Stands with">
          {row.stands_with.length === 0 ? (
            <p className="quiet">Nobody else of the first shares an inviter, domain or network.</p>
          ) : (
            <ul className="item-list">
              {row.stands_with.map((group) => (
                <li key={keyOf(group)}>{describeGroup(group, 'member')}</li>
              ))}
            </ul>
          )}
        </Section>
        <p>
          <Link href={`/members?open=${member.id}`}>All about this member</Link>
        </p>
      </div>
    </SideSheet>
  );
}

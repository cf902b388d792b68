import { Link } from 'wouter';
import type { FirstMember } from '../../../contract/operator/credits/first-in-line.ts';
import { CodeText, KeyValues } from '../../ui/facts.tsx';
import { formatCount, formatMoment } from '../../ui/formats.ts';
import { Section } from '../../ui/section.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { FirstActions } from './first-actions.tsx';
import {
  describeFriends,
  describeHours,
  describeMailboxes,
  describeTraces,
  explainSign,
} from './first-words.ts';
import { FriendsDrawing, type Period } from './friends-drawing.tsx';

type FirstSheetProps = {
  readonly row: FirstMember;
  readonly isListed: boolean;
  readonly period: Period;
  readonly next: string | null;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
};

export function FirstSheet({ row, isListed, period, next, onOpen, onClose }: FirstSheetProps) {
  const { member, place, suspicion, looked } = row;
  const hours = describeHours(row);
  return (
    <SideSheet title={member.email} onClose={onClose}>
      <div className="sheet-parts">
        <FirstActions row={row} onLooked={() => (next === null ? onClose() : onOpen(next))} />
        {row.read > 0 && <FriendsDrawing drawn={row.drawn} period={period} label={hours} />}
        <KeyValues
          entries={{
            Place: isListed
              ? `#${formatCount(place)} at a freeze, #${formatCount(member.position)} in line`
              : 'No longer among the first; below is how it was',
            Friends: describeFriends(row),
            ...(row.read > 0 && {
              Mailboxes: describeMailboxes(row),
              'Joined from': describeTraces(row),
              'Joined when': hours,
              'Noted by rules': `${formatCount(row.near_misses)}, and given all the same`,
            }),
            ...(row.read > 0 &&
              row.read < row.friends.joined && {
                Read: `${formatCount(row.read)} friends, evenly sampled`,
              }),
            Code: <CodeText label="the code" value={member.referral_code} />,
            'Looked at': looked && `${looked.by}, ${formatMoment(looked.at)}`,
          }}
        />
        <Section title="Suspicion" note={`${formatCount(suspicion.score)} of 100`}>
          {suspicion.signs.length === 0 ? (
            <p className="quiet">Nothing speaks against these friends.</p>
          ) : (
            <ul className="item-list">
              {suspicion.signs.map(({ sign, points }) => (
                <li key={sign}>
                  <span>{explainSign(sign)}</span>
                  <span className="count">{formatCount(points)}</span>
                </li>
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

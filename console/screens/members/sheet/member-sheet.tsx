import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { MemberSheet as Sheet } from '../../../../contract/operator/member-sheet.ts';
import { memberSheetQuery } from '../../../api/members.ts';
import { hasStatus } from '../../../api/request-error.ts';
import { QueryFace } from '../../../parts/query-face.tsx';
import { EmptyFace } from '../../../ui/data/faces.tsx';
import { SideSheet } from '../../../ui/layers/side-sheet.tsx';
import { AuditPart } from './audit-part.tsx';
import { DropPart } from './drop-part.tsx';
import { FriendsPart } from './friends-part.tsx';
import { MailPart } from './mail-part.tsx';
import { MemberActions } from './member-actions.tsx';
import { MemberFacts } from './member-facts.tsx';
import { NotesPart } from './notes-part.tsx';

/** Everything about one member; from here the tree of invites is walked up and down. */
export function MemberSheet({
  id,
  hrefOf,
  onClose,
}: {
  id: string;
  /** The path of another member's sheet. */
  hrefOf: (id: string) => string;
  onClose: () => void;
}) {
  const sheet = useQuery(memberSheetQuery(id));
  const isGone = hasStatus(sheet.error, 404);
  return (
    <SideSheet
      title={sheet.data?.member.email ?? 'Member'}
      actions={
        sheet.data && <MemberActions member={sheet.data.member} isGone={isGone} onGone={onClose} />
      }
      onClose={onClose}
    >
      {isGone ? (
        <EmptyFace
          title="Not in line any more"
          action={
            <Link className="button button-secondary" href="/activity">
              Go to Activity
            </Link>
          }
        >
          This member has left, or was removed. A removal is listed in Activity, with its undo.
        </EmptyFace>
      ) : (
        <QueryFace query={sheet} lines={8}>
          {(data) => <SheetParts sheet={data} hrefOf={hrefOf} />}
        </QueryFace>
      )}
    </SideSheet>
  );
}

function SheetParts({ sheet, hrefOf }: { sheet: Sheet; hrefOf: (id: string) => string }) {
  return (
    <div className="sheet-parts">
      <MemberFacts sheet={sheet} hrefOf={hrefOf} />
      <DropPart memberId={sheet.member.id} />
      <MailPart mail={sheet.mail} />
      <NotesPart memberId={sheet.member.id} notes={sheet.notes} />
      <AuditPart entries={sheet.audit} />
      <FriendsPart sheet={sheet} hrefOf={hrefOf} />
    </div>
  );
}

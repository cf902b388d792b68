import { useQuery } from '@tanstack/react-query';
import type { Sessions } from '../../../contract/operator/access.ts';
import { endSession, sessionsQuery, signOut } from '../../api/access.ts';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Pill } from '../../ui/data/pill.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';
import { useAccessChange } from './use-access-change.ts';

type Session = Sessions['sessions'][number];

/**
 * A new page keeps nothing of what was shown or written. Never resolves: reading the lists again
 * would show a sign-in that the new page takes away from under whoever uses it.
 */
async function leaveForGood(): Promise<never> {
  await signOut();
  window.location.reload();
  return await new Promise(() => {});
}

export function SessionsSection() {
  const sessions = useQuery(sessionsQuery);
  const end = useAccessChange(endSession, { done: 'The session has ended' });
  const leave = useAccessChange(leaveForGood);
  const columns: readonly Column<Session>[] = [
    { key: 'device', header: 'Device', cell: ({ device }) => device },
    {
      key: 'used',
      header: 'Last used',
      cell: ({ is_current, last_used_at }) =>
        is_current ? <Pill tone="charged">This one</Pill> : <RelativeTime at={last_used_at} />,
    },
    {
      key: 'began',
      header: 'Began',
      isMinor: true,
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
    {
      key: 'actions',
      header: 'Actions',
      isNarrow: true,
      isAction: true,
      cell: ({ id, device, is_current }) =>
        is_current ? (
          <Button variant="quiet" onClick={() => leave.mutate(undefined)}>
            Sign out
          </Button>
        ) : (
          <Button
            variant="quiet"
            aria-label={`End the session on ${device}`}
            onClick={() => end.mutate(id)}
          >
            End
          </Button>
        ),
    },
  ];
  return (
    <Section title="Your sessions" note="Each ends after 30 minutes without use, or 12 hours.">
      <StaleNotice query={sessions} />
      <Table
        label="Your sessions"
        columns={columns}
        rows={sessions.data?.sessions}
        error={errorFaceOf(sessions)}
        keyOf={({ id }) => id}
        nameOf={({ device }) => device}
        empty={null}
      />
    </Section>
  );
}

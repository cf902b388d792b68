import { useQuery } from '@tanstack/react-query';
import type { Sessions } from '../../../contract/operator/access.ts';
import { endSession, sessionsQuery, signOut } from '../../api/access.ts';
import { QueryList } from '../../parts/query-states.tsx';
import { Button } from '../../ui/buttons.tsx';
import { actionColumn, type Column, timeColumn } from '../../ui/columns.tsx';
import { Pill, RelativeTime } from '../../ui/facts.tsx';
import { Section } from '../../ui/frame.tsx';
import { useAccessChange } from './access-change.tsx';

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
    { header: 'Device', cell: ({ device }) => device },
    {
      header: 'Last used',
      cell: ({ is_current, last_used_at }) =>
        is_current ? <Pill tone="charged">This one</Pill> : <RelativeTime at={last_used_at} />,
    },
    timeColumn('Began', ({ created_at }) => created_at, { isNarrow: false, isMinor: true }),
    actionColumn('Actions', ({ id, device, is_current }) =>
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
    ),
  ];
  return (
    <Section title="Your sessions" note="Each ends after 30 minutes without use, or 12 hours.">
      <QueryList
        query={sessions}
        label="Your sessions"
        columns={columns}
        rows={sessions.data?.sessions}
        keyOf={({ id }) => id}
      />
    </Section>
  );
}

import { useContext } from 'react';
import type { Passkeys, Sessions } from '../../../contract/operator/access.ts';
import { MAX_PAUSE_MESSAGE } from '../../../contract/operator/limits.ts';
import { addPasskey, leaveForGood } from '../../api/access.ts';
import { call, useRead } from '../../api/queries.ts';
import {
  ActionButton,
  type Layer,
  LayerButton,
  SignedIn,
  useAction,
} from '../../parts/changes.tsx';
import { changeForm, plainForm } from '../../parts/forms.tsx';
import { ListSection, QueryContent, Screen } from '../../parts/screen.tsx';
import { Button } from '../../ui/buttons.tsx';
import { KeyValues, Pill, RelativeTime, Section } from '../../ui/facts.tsx';
import { formatMoment } from '../../ui/formats.ts';
import { type Column, ownActions, timeColumn } from '../../ui/table.tsx';
import { KeysSection, OperatorsSection } from './operators-section.tsx';
import { explainPasskey } from './sign-in-screen.tsx';

export function SettingsScreen() {
  const me = useContext(SignedIn);
  const isOwner = me?.role === 'owner';
  const session = me?.session ?? null;
  return (
    <Screen title="Settings" note="Who may enter, and who may join.">
      <JoiningSection />
      <OperatorsSection isOwner={isOwner} ownId={session?.operator.id ?? null} />
      {session && <PasskeysSection origin={me?.passkey_origin ?? null} />}
      {session && <SessionsSection />}
      {isOwner && <KeysSection />}
    </Screen>
  );
}

const USUAL_MESSAGE = 'Joining is closed for the moment. Please come back later.';

function JoiningSection() {
  const joining = useRead('GET joining');
  const isPaused = joining.data?.paused != null;
  return (
    <Section
      title="Joining"
      actions={joining.data && <ActionButton dialog={isPaused ? reopen : pause} />}
    >
      <QueryContent query={joining}>
        {({ paused }) => (
          <KeyValues
            entries={{
              State: paused ? <Pill>Paused</Pill> : <Pill tone="charged">Open</Pill>,
              Since: paused ? formatMoment(paused.since) : undefined,
              'Visitors read': paused?.message,
            }}
          />
        )}
      </QueryContent>
    </Section>
  );
}

const reopen = changeForm({
  title: 'Reopen joining',
  confirmLabel: 'Reopen',
  want: { kind: 'reopen-joining', input: {} },
});

const pause = changeForm({
  title: 'Pause joining',
  confirmLabel: 'Pause',
  isDanger: true,
  fields: {
    message: {
      label: 'What visitors are told',
      value: USUAL_MESSAGE,
      maxLength: MAX_PAUSE_MESSAGE,
      isRequired: true,
      isFirst: true,
    },
  },
  want: { kind: 'pause-joining', input: {} },
});

type Session = Sessions['sessions'][number];

function SessionsSection() {
  const sessions = useRead('GET sessions');
  const end = useAction((id: string) => call('DELETE oneSession', { at: [id] }), {
    done: 'The session has ended',
  });
  const leave = useAction(leaveForGood);
  const columns: readonly Column<Session>[] = [
    { header: 'Device', cell: ({ device }) => device },
    {
      header: 'Last used',
      cell: ({ is_current, last_used_at }) =>
        is_current ? <Pill tone="charged">This one</Pill> : <RelativeTime at={last_used_at} />,
    },
    timeColumn('Began', ({ created_at }) => created_at, { isNarrow: false, isMinor: true }),
    ownActions(({ id, device, is_current }) =>
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
    <ListSection
      note="Each ends after 30 minutes without use, or 12 hours."
      query={sessions}
      label="Your sessions"
      columns={columns}
      rows={sessions.data?.sessions}
      keyOf={({ id }) => id}
    />
  );
}

type Passkey = Passkeys['passkeys'][number];

const action = (label: string, { name }: Passkey, dialog: Layer) => (
  <LayerButton variant="quiet" label={label} aria-label={`${label} ${name}`} dialog={dialog} />
);

const passkeyColumns: readonly Column<Passkey>[] = [
  { header: 'Name', cell: ({ name }) => name },
  timeColumn('Last used', ({ last_used_at }) => last_used_at, { none: 'Not yet', isNarrow: false }),
  ownActions((passkey) => (
    <>
      {action('Rename', passkey, namePasskey(passkey))}
      {action('Remove', passkey, forgetPasskey(passkey))}
    </>
  )),
];

/** `origin`: where they work, or null when no address of this server allows any. */
function PasskeysSection({ origin }: { origin: string | null }) {
  const passkeys = useRead('GET passkeys');
  const isHere = origin === window.location.origin;
  return (
    <ListSection
      note={noteOf(origin, isHere)}
      actions={isHere && <LayerButton dialog={namePasskey(null)} />}
      query={passkeys}
      label="Your passkeys"
      columns={passkeyColumns}
      rows={passkeys.data?.passkeys}
      keyOf={({ id }) => id}
      emptyTitle="No passkeys yet"
      empty="You sign in by links."
    />
  );
}

function noteOf(origin: string | null, isHere: boolean): string {
  if (isHere) return 'They sign you in without a mail.';
  return origin === null
    ? 'Passkeys need https. Set PUBLIC_URL to an address that has it.'
    : `Passkeys work at ${origin}: open the console there to add one.`;
}

function namePasskey(passkey: Passkey | null): Layer {
  return plainForm({
    title: passkey ? `Rename ${passkey.name}` : 'Add a passkey',
    confirmLabel: passkey ? 'Rename' : 'Continue',
    fields: {
      name: {
        label: 'Name',
        value: passkey?.name ?? '',
        hint: 'Such as the device that keeps it.',
        isRequired: true,
        maxLength: 100,
        isFirst: true,
      },
    },
    make: ({ name }) =>
      passkey ? call('PUT passkey', { at: [passkey.id], body: { name } }) : addPasskey(name),
    explain: explainPasskey,
  });
}

const forgetPasskey = ({ id, name }: Passkey) =>
  plainForm({
    title: `Remove ${name}?`,
    confirmLabel: 'Remove',
    isDanger: true,
    children: <p>It no longer signs anybody in. Delete it on the device too.</p>,
    make: () => call('DELETE passkey', { at: [id] }),
  });

import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { MAX_PAUSE_MESSAGE } from '../../../contract/operator/limits.ts';
import { joiningQuery } from '../../api/changes.ts';
import { ChangeForm } from '../../parts/change-form.tsx';
import { ActionButton, ChangeDialog } from '../../parts/changes.tsx';
import { QueryContent } from '../../parts/query-states.tsx';
import { Screen } from '../../parts/screen.tsx';
import { SignedIn } from '../../parts/signed-in.ts';
import { KeyValues, Pill } from '../../ui/facts.tsx';
import { Section } from '../../ui/frame.tsx';
import { formatMoment } from '../../ui/times.ts';
import { KeysSection } from './keys-section.tsx';
import { OperatorsSection } from './operators-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

export function SettingsScreen() {
  const me = useContext(SignedIn);
  const isOwner = me?.role === 'owner';
  const own = me?.session ?? null;
  return (
    <Screen title="Settings" note="Who may enter, and who may join.">
      <JoiningSection />
      <OperatorsSection isOwner={isOwner} ownId={own?.operator.id ?? null} />
      {own && <PasskeysSection origin={me?.passkey_origin ?? null} />}
      {own && <SessionsSection />}
      {isOwner && <KeysSection />}
    </Screen>
  );
}

const USUAL_MESSAGE = 'Joining is closed for the moment. Please come back later.';

export function JoiningSection() {
  const joining = useQuery(joiningQuery);
  const isPaused = joining.data?.paused != null;
  return (
    <Section
      title="Joining"
      actions={
        joining.data && (
          <ActionButton
            label={isPaused ? 'Reopen joining' : 'Pause joining'}
            dialog={(close) =>
              isPaused ? (
                <ChangeDialog
                  title="Reopen joining"
                  confirmLabel="Reopen"
                  want={{ kind: 'reopen-joining', input: {} }}
                  onClose={close}
                />
              ) : (
                <PauseDialog onClose={close} />
              )
            }
          />
        )
      }
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

function PauseDialog({ onClose }: { onClose: () => void }) {
  return (
    <ChangeForm
      title="Pause joining"
      confirmLabel="Pause"
      isDanger
      fields={{
        message: {
          label: 'What visitors are told',
          value: USUAL_MESSAGE,
          maxLength: MAX_PAUSE_MESSAGE,
          isFirst: true,
        },
      }}
      want={({ message }) => {
        const written = message.trim();
        if (written === '') return 'Write what visitors are told.';
        return { kind: 'pause-joining', input: { message: written } };
      }}
      onClose={onClose}
    />
  );
}

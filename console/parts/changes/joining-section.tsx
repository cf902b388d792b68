import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { joiningQuery } from '../../api/changes.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { KeyValues } from '../../ui/data/key-values.tsx';
import { Pill } from '../../ui/data/pill.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { formatMoment } from '../../ui/text/times.ts';
import { ChangeDialog } from '../change-dialog.tsx';
import { QueryFace } from '../query-face.tsx';
import { useMayWrite } from '../signed-in.ts';

const USUAL_MESSAGE = 'Joining is closed for the moment. Please come back later.';

/** Whether everybody may join, and the way to change that. */
export function JoiningSection() {
  const joining = useQuery(joiningQuery);
  const mayWrite = useMayWrite();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const paused = joining.data?.paused ?? null;
  return (
    <Section
      title="Joining"
      actions={
        mayWrite &&
        joining.data && (
          <Button onClick={() => setOpen(true)}>
            {paused === null ? 'Pause joining' : 'Reopen joining'}
          </Button>
        )
      }
    >
      <QueryFace query={joining}>
        {() => (
          <KeyValues
            entries={[
              [
                'State',
                <Pill key="state" tone={paused === null ? 'charged' : 'plain'}>
                  {paused === null ? 'Open' : 'Paused'}
                </Pill>,
              ],
              ...(paused === null
                ? []
                : ([
                    ['Since', formatMoment(paused.since)],
                    ['Visitors read', paused.message],
                  ] as const)),
            ]}
          />
        )}
      </QueryFace>
      {isOpen && paused === null && <PauseDialog onClose={close} />}
      {isOpen && paused !== null && (
        <ChangeDialog
          title="Reopen joining"
          confirmLabel="Reopen"
          want={{ kind: 'reopen-joining', input: {} }}
          onClose={close}
        />
      )}
    </Section>
  );
}

function PauseDialog({ onClose }: { onClose: () => void }) {
  const [message, setMessage] = useState(USUAL_MESSAGE);
  const written = message.trim();
  return (
    <ChangeDialog
      title="Pause joining"
      confirmLabel="Pause"
      isDanger
      want={written === '' ? null : { kind: 'pause-joining', input: { message: written } }}
      hint="Write what visitors are told."
      onClose={onClose}
    >
      <TextField
        label="What visitors are told"
        data-autofocus=""
        maxLength={300}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
    </ChangeDialog>
  );
}

/** The dialogs of the steps: each with its fields, its preview, and a reason. */
import { useState } from 'react';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { TextArea, TextField } from '../../ui/controls/text-field.tsx';
import { formatMoment } from '../../ui/text/times.ts';
import { AnnounceDialog } from './announce-dialog.tsx';
import { readSignature, readWhole } from './draw-rules.ts';
import { OfferDialog } from './offer-dialog.tsx';
import { StepChange } from './step-change.tsx';
import type { Step } from './step-rules.ts';

export type StepProps = {
  readonly facts: DropFacts;
  /** Whether the dialog asks for a time to begin with. */
  readonly isLater?: boolean;
  readonly onClose: () => void;
};

/** As many as a browser can recompute. */
const MAX_ENTRANTS = 10_000;
const FOR_GOOD = 'This cannot be undone.';
const USUAL_MESSAGE = 'The line is frozen for the drop. Please come back later.';

export function StepDialog({ step, ...props }: StepProps & { readonly step: Step }) {
  const { onClose, isLater = false } = props;
  if (step === 'freeze') return <FreezeDialog {...props} />;
  if (step === 'announce') return <AnnounceDialog {...props} />;
  if (step === 'select') return <SelectDialog {...props} />;
  if (step === 'offer') return <OfferDialog isLater={isLater} onClose={onClose} />;
  if (step === 'unfreeze')
    return (
      <ChangeDialog
        title="Undo the freeze"
        confirmLabel="Undo the freeze"
        isDanger
        undoNote="The line can be frozen again, with its order then."
        want={{ kind: 'unfreeze-drop', input: {} }}
        onClose={onClose}
      />
    );
  if (step === 'close')
    return (
      <StepChange
        isLater={isLater}
        title="Close the drop"
        confirmLabel="Close the drop"
        isDanger
        undoNote={FOR_GOOD}
        want={{ kind: 'close-drop', input: {} }}
        onClose={onClose}
      />
    );
  return (
    <ChangeDialog
      title="Open the next drop"
      confirmLabel="Open"
      undoNote={FOR_GOOD}
      want={{ kind: 'open-drop', input: {} }}
      onClose={onClose}
    />
  );
}

function FreezeDialog({ facts: { members }, isLater = false, onClose }: StepProps) {
  const [text, setText] = useState(String(Math.min(Math.max(members, 1), MAX_ENTRANTS)));
  const [joins, setJoins] = useState('go-on');
  const [message, setMessage] = useState(USUAL_MESSAGE);
  const first = readWhole(text) ?? 0;
  const written = message.trim();
  const isWhole = first > 0 && first <= MAX_ENTRANTS && (joins === 'go-on' || written !== '');
  return (
    <StepChange
      isLater={isLater}
      title="Freeze the line"
      confirmLabel="Freeze"
      undoNote="You can undo this for 24 hours, until the draw is announced."
      want={
        isWhole
          ? {
              kind: 'freeze-drop',
              input: { first, ...(joins === 'stop' && { pause_message: written }) },
            }
          : null
      }
      hint={
        first > MAX_ENTRANTS
          ? 'At most 10,000 members take part.'
          : 'Write how many take part, and what visitors are told if joins stop.'
      }
      onClose={onClose}
    >
      <TextField
        label="Members who take part"
        hint="From the first of the line, at most 10,000."
        inputMode="numeric"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Segmented
        label="Joins after the freeze"
        options={[
          { value: 'go-on', label: 'Joins go on' },
          { value: 'stop', label: 'Joins stop' },
        ]}
        value={joins}
        onChange={setJoins}
      />
      {joins === 'stop' && (
        <TextField
          label="What visitors are told"
          maxLength={300}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
      )}
    </StepChange>
  );
}

/** The draw needs the signature of a round, and nothing from an operator otherwise. */
function SelectDialog({ facts: { round }, isLater = false, onClose }: StepProps) {
  const [text, setText] = useState('');
  const signature = readSignature(text);
  const input = signature === null ? {} : { signature };
  const isWhole = round === null || signature !== null;
  return (
    <StepChange
      isLater={isLater}
      title="Make the draw"
      confirmLabel="Make the draw"
      undoNote={FOR_GOOD}
      want={isWhole ? { kind: 'select-entrants', input } : null}
      hint="Paste what the relay answers. The server checks the signature, whoever sent it."
      onClose={onClose}
    >
      {round !== null && (
        <>
          <p>
            The round is public {formatMoment(round.public_at)}. Open{' '}
            <a href={round.url} target="_blank" rel="noreferrer">
              its page on a relay of drand
            </a>
            , and copy what it says.
          </p>
          <TextArea
            label="Answer of the relay, or the signature"
            rows={3}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </>
      )}
    </StepChange>
  );
}

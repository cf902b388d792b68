import { useState } from 'react';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { DateTimeField } from '../../ui/controls/date-time-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { type DrawFields, readDraw, usualDraw } from './draw-rules.ts';
import { StepChange } from './step-change.tsx';

/** Masks per size, how members are chosen, and the randomness. */
export function AnnounceDialog({
  facts,
  isLater = false,
  onClose,
}: {
  facts: DropFacts;
  isLater?: boolean;
  onClose: () => void;
}) {
  const [fields, setFields] = useState(() => usualDraw(facts));
  const change = (changed: Partial<DrawFields>) => setFields({ ...fields, ...changed });
  const input = readDraw(fields);
  const isDrawn = fields.way !== 'rank';
  return (
    <StepChange
      isLater={isLater}
      title="Announce the draw"
      confirmLabel="Announce"
      undoNote="Public at once: this cannot be undone."
      want={input && { kind: 'announce-draw', input }}
      hint={
        isDrawn && fields.source === 'quicknet' && fields.drawAt === ''
          ? 'Choose when the draw is.'
          : 'Enter whole numbers.'
      }
      onClose={onClose}
    >
      <div className="field-row">
        {facts.sizes.map(({ size, available }) => (
          <TextField
            key={size}
            label={`${size} masks`}
            hint={`${available} available`}
            inputMode="numeric"
            value={fields.masks[size] ?? ''}
            onChange={(event) =>
              change({ masks: { ...fields.masks, [size]: event.currentTarget.value } })
            }
          />
        ))}
      </div>
      <Segmented
        label="How members are chosen"
        options={[
          { value: 'rank', label: 'By rank' },
          { value: 'draw', label: 'By draw' },
          { value: 'both', label: 'Both' },
        ]}
        value={fields.way}
        onChange={(way) => change({ way: way as DrawFields['way'] })}
      />
      {isDrawn && (
        <>
          <div className="field-row">
            {fields.way === 'both' && (
              <TextField
                label="Masks by rank"
                inputMode="numeric"
                value={fields.byRank}
                onChange={(event) => change({ byRank: event.currentTarget.value })}
              />
            )}
            <TextField
              label="Drawn among the first"
              inputMode="numeric"
              value={fields.among}
              onChange={(event) => change({ among: event.currentTarget.value })}
            />
          </div>
          <Select
            label="Randomness"
            hint={
              fields.source === 'quicknet'
                ? 'A round of a public beacon: nobody can know it before its time.'
                : 'A seed of this server, whose hash is announced: members must trust that you ' +
                  'did not know it.'
            }
            options={[
              { value: 'quicknet', label: 'A round of drand’s quicknet' },
              { value: 'seed', label: 'Commit and reveal' },
            ]}
            value={fields.source}
            onChange={(source) => change({ source: source as DrawFields['source'] })}
          />
          {fields.source === 'quicknet' && (
            <DateTimeField
              label="When the draw is"
              hint="In your time zone, a minute to 30 days from now."
              value={fields.drawAt}
              onChange={(drawAt) => change({ drawAt })}
            />
          )}
        </>
      )}
    </StepChange>
  );
}

import { useState } from 'react';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { StepChange } from './step-change.tsx';

const USUAL_HOURS = 12;

/** How long an offer stands, and when nobody is disturbed. */
export function OfferDialog({ isLater, onClose }: { isLater: boolean; onClose: () => void }) {
  const [hours, setHours] = useState(String(USUAL_HOURS));
  const [zone, setZone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [hasQuiet, setHasQuiet] = useState(true);
  const [from, setFrom] = useState('22:00');
  const [until, setUntil] = useState('08:00');
  const isNumber = /^\d{1,3}(\.\d{1,2})?$/.test(hours.trim());
  const minutes = isNumber ? Math.round(Number(hours) * 60) : 0;
  const isWhole = minutes > 0 && zone.trim() !== '' && (!hasQuiet || (from !== '' && until !== ''));
  const quiet = hasQuiet && { quiet_from: from, quiet_until: until };
  return (
    <StepChange
      isLater={isLater}
      title="Start the offers"
      confirmLabel="Start the offers"
      undoNote="The first mails leave at once: this cannot be undone."
      want={
        isWhole
          ? { kind: 'start-offers', input: { minutes, time_zone: zone.trim(), ...quiet } }
          : null
      }
      hint="Write for how many hours an offer stands, the time zone, and both quiet times."
      onClose={onClose}
    >
      <div className="field-row">
        <TextField
          label="Hours to answer"
          inputMode="decimal"
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
        />
        <TextField
          label="Time zone"
          maxLength={100}
          value={zone}
          onChange={(event) => setZone(event.currentTarget.value)}
        />
      </div>
      <Checkbox
        label="Quiet hours, in which nobody is offered a mask or reminded"
        checked={hasQuiet}
        onChange={setHasQuiet}
      />
      {hasQuiet && (
        <div className="field-row">
          <TextField
            label="From"
            type="time"
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextField
            label="Until"
            type="time"
            value={until}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
        </div>
      )}
    </StepChange>
  );
}

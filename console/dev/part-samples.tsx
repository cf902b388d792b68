import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Button, IconButton } from '../ui/buttons.tsx';
import { ChartFrame } from '../ui/chart-frame.tsx';
import { Checkbox } from '../ui/choices.tsx';
import { DateTimeField, Select, TextField } from '../ui/fields.tsx';
import { formatCount, formatDay } from '../ui/formats.ts';
import { Section } from '../ui/frame.tsx';
import { TimeChart } from '../ui/time-chart.tsx';

const ICON = { 'aria-hidden': true, size: 16 } as const;
const SIZES = { Small: 'Small', Medium: 'Medium', Large: 'Large' };
const HOUR_MS = 3_600_000;
const DAY_S = 86_400;
const LAST_DAY_S = Math.floor(Date.UTC(2030, 0, 31) / 1000);

export const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

export function ControlSamples() {
  return (
    <>
      <Section title="Buttons">
        <div className="sample-stack">
          {(['primary', 'secondary', 'quiet', 'danger'] as const).map((variant) => (
            <div key={variant} className="sample-row">
              <Button variant={variant}>{variant}</Button>
              <Button variant={variant} icon={<Plus {...ICON} />}>
                With icon
              </Button>
              <Button variant={variant} isBusy>
                Busy
              </Button>
              <Button variant={variant} disabled>
                Disabled
              </Button>
            </div>
          ))}
          <div className="sample-row">
            <IconButton label="Add" icon={<Plus {...ICON} />} />
            <IconButton label="Add, disabled" icon={<Plus {...ICON} />} disabled />
          </div>
        </div>
      </Section>
      <Section title="Fields and choices">
        <div className="sample-row">
          <TextField label="Refused" defaultValue="ada@" error="This is no e-mail address." />
          <TextField label="Disabled" defaultValue="Fixed" disabled />
          <Select label="Size, disabled" options={SIZES} value="Small" disabled />
          <DateTimeField label="To" value="" onChange={() => {}} error="Please choose a time." />
          <Checkbox label="Partly" checked={false} isPartial onChange={() => {}} />
          <Checkbox label="Disabled" checked disabled onChange={() => {}} />
        </div>
      </Section>
    </>
  );
}

const times = Array.from({ length: 30 }, (_, index) => LAST_DAY_S - (29 - index) * DAY_S);
const joins = times.map((_, index) => Math.round(180 + 160 * Math.sin(index / 3) + index * 6));
const series = [
  { label: 'Joins', values: joins },
  { label: 'Invited', values: joins.map((one) => Math.round(one * 0.4)) },
];
const nameOfDay = (index: number) => formatDay(new Date((times[index] ?? 0) * 1000).toISOString());

export function ChartSample() {
  const [point, setPoint] = useState<number | null>(null);
  const shown = point ?? times.length - 1;
  return (
    <Section title="A chart">
      <ChartFrame
        title="Joins"
        definition="Members that joined on each day, in your time zone."
        readout={`${nameOfDay(shown)} · ${formatCount(joins[shown] ?? 0)}`}
        chart={<TimeChart label="Joins of 30 days" {...{ times, series }} onPoint={setPoint} />}
        headers={['Day', 'Joins']}
        rows={joins.map((count, index) => [nameOfDay(index), formatCount(count)])}
      />
    </Section>
  );
}

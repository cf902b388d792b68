import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Button, IconButton } from '../ui/buttons.tsx';
import { BarList, ChartFrame } from '../ui/chart-frame.tsx';
import { Checkbox, Checkboxes, Segmented } from '../ui/choices.tsx';
import { CodeText, KeyValues, Pill, RelativeTime, Stat, StatRow } from '../ui/facts.tsx';
import { DateTimeField, Select, TextArea, TextField } from '../ui/fields.tsx';
import { formatBytes, formatCount, formatDay, formatMoment, formatShare } from '../ui/formats.ts';
import { Section } from '../ui/frame.tsx';
import { Banner, EmptyState, ErrorState, Skeleton } from '../ui/states.tsx';
import { TimeChart } from '../ui/time-chart.tsx';

const ICON = { 'aria-hidden': true, size: 16 } as const;
const SIZES = { Small: 'Small', Medium: 'Medium', Large: 'Large' };
const HOUR_MS = 3_600_000;
const DAY_S = 86_400;
const LAST_DAY_S = Math.floor(Date.UTC(2030, 0, 31) / 1000);

export const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

export function ControlSamples() {
  const [size, setSize] = useState('Small');
  const [sizes, setSizes] = useState<readonly (keyof typeof SIZES)[]>(['Small']);
  const [isChecked, setChecked] = useState(true);
  const [time, setTime] = useState('2030-01-31T09:30:00Z');
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
      <Section title="Fields">
        <div className="sample-row">
          <TextField label="Name" placeholder="Ada Lovelace" />
          <TextField label="With a hint" hint="Shown to nobody else." defaultValue="Press" />
          <TextField label="Refused" defaultValue="ada@" error="This is no e-mail address." />
          <TextField label="Disabled" defaultValue="Fixed" disabled />
          <Select label="Size" options={SIZES} value={size} onChange={setSize} />
          <Select label="Size, disabled" options={SIZES} value={size} disabled />
          <DateTimeField label="From" value={time} onChange={setTime} />
          <DateTimeField label="To" value="" onChange={setTime} error="Please choose a time." />
          <TextArea label="Note" defaultValue="For the shoot in March, three athletes." />
        </div>
      </Section>
      <Section title="Choices">
        <div className="sample-row">
          <Checkbox label="Checked" checked={isChecked} onChange={setChecked} />
          <Checkbox label="Partly" checked={false} isPartial onChange={setChecked} />
          <Checkbox label="Unchecked" checked={false} onChange={() => setChecked(false)} />
          <Checkbox label="Disabled" checked disabled onChange={setChecked} />
          <Segmented label="Size" options={SIZES} value={size} onChange={setSize} />
          <Checkboxes
            label="Sizes"
            options={SIZES}
            values={sizes}
            error={sizes.length === 0 ? 'Choose one at least.' : ''}
            onChange={setSizes}
          />
        </div>
      </Section>
    </>
  );
}

export function FactSamples() {
  return (
    <>
      <Section title="Banners">
        <Banner>Joining is paused since this morning.</Banner>
        <Banner tone="charged">The import is done: 4,812 members are in line.</Banner>
        <Banner tone="ember" action={<Button>Retry</Button>}>
          Not up to date: The server cannot be reached. Check your connection.
        </Banner>
      </Section>
      <Section title="Numbers">
        <StatRow label="The line">
          <Stat label="Members" value={formatCount(12_380)} note="+214 today" isCharged />
          <Stat label="By members" value={formatShare(0.384)} note="4,754 of 12,380" />
          <Stat label="Database" value={formatBytes(48_200_000)} />
          <Stat label="Mails waiting" value={undefined} />
        </StatRow>
      </Section>
      <Section title="One thing">
        <div className="sample-columns">
          <KeyValues
            entries={{
              State: <Pill tone="charged">Confirmed</Pill>,
              Address: 'a.rather.long.address.of.somebody@mail.example.com',
              Joined: <RelativeTime at={hoursAgo(3)} />,
              Confirmed: formatMoment(hoursAgo(2)),
              'Invited by': null,
              Id: <CodeText label="the id" value="3f0f5a52-2a52-4f0e-9d3e-6f5f3b1d2c11" />,
            }}
          />
          <div className="sample-stack">
            <div className="sample-row">
              <Pill>Released</Pill>
              <Pill tone="edge">Waiting</Pill>
              <Pill tone="charged">Given</Pill>
              <Pill tone="ember">Bounced</Pill>
            </div>
            <Skeleton />
            <EmptyState title="No members yet" action={<Button>Import a list</Button>}>
              Members appear here as soon as they join.
            </EmptyState>
            <ErrorState message="The server has not answered in 15 seconds." onRetry={() => {}} />
          </div>
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
const noSeries = [{ label: 'Joins', values: times.map(() => 0) }];
const steps = [
  ['Visits', 40_210],
  ['Joins', 12_380],
  ['Friend joined', 1_911],
] as const;
const nameOfDay = (index: number) => formatDay(new Date((times[index] ?? 0) * 1000).toISOString());

export function ChartSamples() {
  const [point, setPoint] = useState<number | null>(null);
  const shown = point ?? times.length - 1;
  return (
    <Section title="Charts">
      <div className="sample-columns">
        <ChartFrame
          title="Joins"
          definition="Members that joined on each day, in your time zone."
          readout={`${nameOfDay(shown)} · ${formatCount(joins[shown] ?? 0)}`}
          chart={<TimeChart label="Joins of 30 days" {...{ times, series }} onPoint={setPoint} />}
          headers={['Day', 'Joins']}
          rows={joins.map((count, index) => [nameOfDay(index), formatCount(count)])}
        />
        <ChartFrame
          title="Funnel"
          definition="Of visits in 30 days: how many led to the next step."
          chart={
            <BarList
              label="Funnel"
              bars={steps.map(([name, value]) => ({ name, value, shown: formatCount(value) }))}
            />
          }
          headers={['Step', 'Number']}
          rows={steps.map(([name, value]) => [name, formatCount(value)])}
        />
        <ChartFrame
          title="Joins, none yet"
          definition="An empty line has a chart too."
          chart={<TimeChart label="No joins" times={times} series={noSeries} />}
          headers={['Day', 'Joins']}
          rows={[]}
        />
      </div>
    </Section>
  );
}

import { useState } from 'react';
import { BarList } from '../ui/charts/bar-list.tsx';
import { ChartFrame } from '../ui/charts/chart-frame.tsx';
import { TimeChart } from '../ui/charts/time-chart.tsx';
import { Segmented } from '../ui/controls/segmented.tsx';
import { Section } from '../ui/frame/section.tsx';
import { formatAmount, formatCount, formatShare } from '../ui/text/numbers.ts';
import { formatDay } from '../ui/text/times.ts';

const DAY_S = 86_400;
const LAST_DAY_S = Math.floor(Date.UTC(2030, 0, 31) / 1000);
const times = Array.from({ length: 30 }, (_, index) => LAST_DAY_S - (29 - index) * DAY_S);
const joins = times.map((_, index) => Math.round(180 + 160 * Math.sin(index / 3) + index * 6));
const series = [{ label: 'Joins', values: joins, tone: 'charged' }] as const;
const totals = joins.map((_, index) => joins.slice(0, index + 1).reduce((sum, one) => sum + one));
const lines = [
  { label: 'Members', values: totals, tone: 'charged' },
  { label: 'By members', values: totals.map((one) => Math.round(one * 0.4)), tone: 'plain' },
] as const;
const day = (index: number) => formatDay(new Date((times[index] ?? 0) * 1000).toISOString());

const steps = [
  ['visit', 'Visits', 40_210],
  ['join', 'Joins', 12_380],
  ['share', 'Shared', 5_204],
  ['friend', 'Friend joined', 1_911],
] as const;

export function ChartSamples() {
  const [point, setPoint] = useState<number | null>(null);
  const [step, setStep] = useState('day');
  const shown = point ?? times.length - 1;
  const rows = times.map((_, index) => [day(index), formatCount(joins[index] ?? 0)]);
  return (
    <Section title="Charts">
      <div className="sample-columns">
        <ChartFrame
          title="Joins"
          definition="Members that joined on each day, in your time zone."
          readout={`${day(shown)} · ${formatAmount(joins[shown] ?? 0, 'join')}`}
          controls={
            <Segmented
              label="Step"
              value={step}
              onChange={setStep}
              options={[
                { value: 'hour', label: 'Hours' },
                { value: 'day', label: 'Days' },
              ]}
            />
          }
          chart={
            <TimeChart
              label="Joins of 30 days"
              kind="bars"
              times={times}
              series={series}
              onPoint={setPoint}
            />
          }
          headers={['Day', 'Joins']}
          rows={rows}
        />
        <ChartFrame
          title="Members"
          definition="Members in line at the end of each day, and those brought by members."
          chart={<TimeChart label="Members in 30 days" kind="line" times={times} series={lines} />}
          headers={['Day', 'Joins']}
          rows={rows}
        />
        <ChartFrame
          title="Funnel"
          definition="Of visits in 30 days: how many led to the next step."
          chart={
            <BarList
              label="Funnel"
              bars={steps.map(([key, label, value]) => ({
                key,
                label,
                value,
                shown: `${formatCount(value)} · ${formatShare(value / steps[0][2])}`,
              }))}
            />
          }
          headers={['Step', 'Number']}
          rows={steps.map(([, label, value]) => [label, formatCount(value)])}
        />
        <ChartFrame
          title="Joins, none yet"
          definition="An empty line has a chart too."
          chart={
            <TimeChart
              label="No joins"
              kind="bars"
              times={times}
              series={[{ label: 'Joins', values: times.map(() => 0), tone: 'charged' }]}
            />
          }
          headers={['Day', 'Joins']}
          rows={[]}
        />
      </div>
    </Section>
  );
}

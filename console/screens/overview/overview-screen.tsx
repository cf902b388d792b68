import { useQuery } from '@tanstack/react-query';
import { healthQuery, overviewQuery, type Range } from '../../api/overview.ts';
import { QueryFace } from '../../parts/query-face.tsx';
import { useListState } from '../../routing/use-list-state.ts';
import { useTitle } from '../../routing/use-title.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Banner } from '../../ui/data/banner.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { FunnelCharts } from './funnel-charts.tsx';
import { HealthSections } from './health-sections.tsx';
import { LineFigures } from './line-figures.tsx';
import { SourceCharts } from './source-charts.tsx';
import { TimeCharts } from './time-charts.tsx';

const RANGES: Readonly<Record<string, Range>> = {
  '24h': { bucket: 'hour', count: 24 },
  '7d': { bucket: 'day', count: 7 },
  '30d': { bucket: 'day', count: 30 },
  '90d': { bucket: 'day', count: 90 },
};
const OPTIONS = [
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
  { value: '90d', label: '90 d' },
];
const DEFAULT = '30d';

/** How the line grows, who brings whom, and whether all that keeps it running does. */
export function OverviewScreen() {
  useTitle('Overview');
  const list = useListState();
  const asked = list.get('range');
  const name = asked in RANGES ? asked : DEFAULT;
  const range = RANGES[name] as Range;
  const overview = useQuery(overviewQuery(range));
  const health = useQuery(healthQuery);

  return (
    <>
      <PageHeader
        title="Overview"
        note="Counted without cookies, in your time zone, and kept up to date while you look."
        actions={
          <Segmented
            label="Period"
            options={OPTIONS}
            value={name}
            onChange={(chosen) => list.set({ range: chosen === DEFAULT ? '' : chosen })}
          />
        }
      />
      {health.data?.notices.map((notice) => (
        <Banner key={notice}>{notice}</Banner>
      ))}
      <QueryFace query={overview} lines={8}>
        {(data) => (
          <>
            <LineFigures overview={data} />
            <div className="overview-charts">
              <TimeCharts overview={data} bucket={range.bucket} />
              <FunnelCharts overview={data} />
              <SourceCharts overview={data} />
            </div>
          </>
        )}
      </QueryFace>
      <QueryFace query={health} lines={6}>
        {(data) => <HealthSections health={data} />}
      </QueryFace>
    </>
  );
}

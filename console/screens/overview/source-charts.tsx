import type { Overview } from '../../../contract/operator/overview.ts';
import { BarList } from '../../ui/charts/bar-list.tsx';
import { ChartFrame } from '../../ui/charts/chart-frame.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { formatAmount, formatCount } from '../../ui/text/numbers.ts';
import { nameSource } from './overview-words.ts';

/** Bars; the table of numbers has all. */
const MAX_BARS = 8;

/** Where visitors and members come from. */
export function SourceCharts({ overview }: { overview: Overview }) {
  const { sources, channels, left_off_sources: leftOff } = overview;
  return (
    <>
      <Origins
        title="Sources"
        definition={`Joins and visits by UTM parameters and the site that linked to us.${
          leftOff > 0 ? ` ${formatAmount(leftOff, 'smaller source')} left off.` : ''
        }`}
        origins={sources.map((source) => ({ ...source, name: nameSource(source) }))}
        empty="Sources of visits and joins are listed here."
      />
      <Origins
        title="Share channels"
        definition="The same by how a link was shared: its parameter via."
        origins={channels.map((channel) => ({
          ...channel,
          name: channel.via === '' ? 'Not told' : channel.via,
        }))}
        empty="Links with a parameter via, such as via=qr, are told apart here."
      />
    </>
  );
}

type Origin = { readonly name: string; readonly visits: number; readonly joins: number };

function Origins({
  title,
  definition,
  origins,
  empty,
}: {
  title: string;
  definition: string;
  origins: readonly Origin[];
  empty: string;
}) {
  return (
    <ChartFrame
      title={title}
      definition={definition}
      chart={
        origins.length === 0 ? (
          <EmptyFace title="Nothing yet">{empty}</EmptyFace>
        ) : (
          <BarList
            label={title}
            bars={origins.slice(0, MAX_BARS).map(({ name, visits, joins }) => ({
              key: name,
              label: name,
              value: joins,
              shown: `${formatAmount(joins, 'join')} · ${formatAmount(visits, 'visit')}`,
            }))}
          />
        )
      }
      headers={[title === 'Sources' ? 'Source' : 'Channel', 'Joins', 'Visits']}
      rows={origins.map(({ name, visits, joins }) => [
        name,
        formatCount(joins),
        formatCount(visits),
      ])}
    />
  );
}

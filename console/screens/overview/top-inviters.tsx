import { useQuery } from '@tanstack/react-query';
import type { TopInviters as Answer, TopInviter } from '../../../contract/operator/inviters.ts';
import type { Overview } from '../../../contract/operator/overview.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { read, withQuery } from '../../api/queries.ts';
import { ListSection } from '../../parts/screen.tsx';
import { Address } from '../../ui/facts.tsx';
import { Select } from '../../ui/fields.tsx';
import { formatCount } from '../../ui/formats.ts';
import { type Column, countColumn } from '../../ui/table.tsx';
import { nameSource } from './overview-words.ts';

const REFRESH_MS = 60_000;

const columns: readonly Column<TopInviter>[] = [
  { header: 'Member', cell: ({ member }) => <Address email={member.email} /> },
  countColumn('Friends', ({ friends }) => friends),
  countColumn('Waiting', ({ waiting }) => waiting),
  {
    header: 'From',
    cell: ({ sources }) =>
      sources
        .map((source) => `${nameSource(source)}: ${formatCount(source.friends + source.waiting)}`)
        .join(', '),
  },
];

type TopInvitersProps = {
  readonly overview: Pick<Overview, 'from' | 'sources'>;
  readonly source: string;
  readonly onSource: (source: string) => void;
};

export function TopInviters({ overview: { from, sources }, source, onSource }: TopInvitersProps) {
  const path = withQuery(operatorPaths.topInviters, { joined_from: from, source });
  const query = useQuery(read<Answer>(path, REFRESH_MS));
  return (
    <ListSection
      note="Members whose friends joined in the period, and where these came from."
      actions={
        <Select
          label="Source of the friends"
          isLabelHidden
          options={listSources(sources, source)}
          value={source}
          onChange={onSource}
        />
      }
      query={query}
      label="Top inviters"
      columns={columns}
      rows={query.data?.inviters}
      keyOf={({ member }) => member.id}
      hrefOf={({ member }) => `/members?open=${member.id}`}
      emptyTitle="Nobody brought a friend"
      empty="Members whose friends joined in the period are listed here."
    />
  );
}

function listSources(sources: Overview['sources'], chosen: string): Record<string, string> {
  const values = sources.flatMap(({ via, utm_source, referring_host }) => [
    via,
    utm_source,
    referring_host,
  ]);
  const known = [...new Set([...values, chosen])].filter((value) => value !== '').toSorted();
  return { '': 'Every source', ...Object.fromEntries(known.map((value) => [value, value])) };
}

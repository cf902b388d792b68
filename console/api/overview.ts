import { queryOptions } from '@tanstack/react-query';
import type { TopInviters } from '../../contract/operator/inviters.ts';
import type { Overview, OverviewHealth } from '../../contract/operator/overview.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { read, withQuery } from './queries.ts';
import { request } from './request.ts';

const REFRESH_MS = 5_000;
const REFRESH_HEALTH_MS = 15_000;
const REFRESH_INVITERS_MS = 60_000;
const HOUR_MS = 3_600_000;

export type Range = { readonly bucket: 'hour' | 'day'; readonly count: number };

export const overviewQuery = ({ bucket, count }: Range) =>
  queryOptions({
    queryKey: ['overview', bucket, count],
    queryFn: ({ signal }) => {
      const hours = (count - 1) * (bucket === 'hour' ? 1 : 24);
      const query = new URLSearchParams({
        bucket,
        tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
        from: new Date(Date.now() - hours * HOUR_MS).toISOString(),
      });
      return request<Overview>({ path: `${operatorPaths.overview}?${query}`, signal });
    },
    refetchInterval: REFRESH_MS,
  });

export const topInvitersQuery = (from: string, source: string) =>
  read<TopInviters>(
    withQuery(operatorPaths.topInviters, { joined_from: from, source }),
    REFRESH_INVITERS_MS,
  );

export const healthQuery = read<OverviewHealth>(operatorPaths.overviewHealth, REFRESH_HEALTH_MS);

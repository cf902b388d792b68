/** `./waitlist overview`: the main figures of the console's overview. */
import type { Overview, OverviewHealth } from '../../../contract/operator/overview.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Command } from '../../command-line/command.ts';
import { print } from '../../command-line/output.ts';
import { callOperator } from '../call-operator.ts';
import { renderTable } from '../table.ts';

const MEGABYTE = 1_000_000;

export const showOverview: Command['run'] = async (config, _words, { json }) => {
  const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const path = `${operatorPaths.overview}?${new URLSearchParams({ tz })}`;
  const overview = await callOperator<Overview>(config, { path });
  const health = await callOperator<OverviewHealth>(config, { path: operatorPaths.overviewHealth });
  print(json, { overview, health }, () =>
    [renderTable(['What', 'Count'], rowsOf(overview, health)), ...health.notices].join('\n\n'),
  );
};

function rowsOf(
  { members, totals, invited_share, k_factor, buckets, first_friend }: Overview,
  { masks, mail, guard, database, backup }: OverviewHealth,
) {
  const days = `of ${buckets.length} days`;
  const [, median] = first_friend.quartiles ?? [];
  return [
    ['Members now', members],
    ['Joins today', buckets.at(-1)?.joins ?? 0],
    [`Visits ${days}`, totals.visits],
    [`Joins ${days}`, totals.joins],
    ['Of these members, invite opened', totals.shared],
    ['Of these members, brought a friend', totals.with_friend],
    ['Of these joins, brought by members', invited_share === null ? '-' : percent(invited_share)],
    ['K-factor', k_factor?.toFixed(2) ?? '-'],
    ['Minutes to the first friend, median', median ?? '-'],
    ['Masks remaining', masks.available],
    ['Mails sent in 24 hours', mail.sent],
    ['Mails waiting', mail.waiting],
    ['Mails failing', mail.failing],
    ['Addresses bounced or complained', mail.bounced + mail.complained],
    ['Joins refused by a limit in 24 hours', guard.limited],
    ['Megabytes of the database', Math.round(database.bytes / MEGABYTE)],
    ['Last backup', backup.succeeded_at ?? 'never'],
  ] as const;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

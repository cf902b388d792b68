import { type TopInviter, TopInvitersRequest } from '../../contract/operator/inviters.ts';
import type { Counts } from '../../contract/operator/members.ts';
import type { Overview, OverviewHealth } from '../../contract/operator/overview.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { SOURCE_FIELDS } from '../../contract/sources.ts';
import type { Commands } from '../command-line/command.ts';
import { print, renderPairs } from '../command-line/output.ts';
import { list, request } from './api-commands.ts';
import { callOperator } from './call-operator.ts';
import { change, ownTimeZone } from './changes.ts';

const MEGABYTE = 1_000_000;

export const overviewCommands: Commands = {
  counts: request<Counts>(operatorPaths.counts, {
    about: 'Members in line, masks remaining, top referrer.',
    columns: [
      'members',
      ['Masks remaining', 'available_masks'],
      ['Top referrer', 'best_referral_count'],
    ],
  }),
  inviters: list<TopInviter>(operatorPaths.topInviters, {
    about: 'Who brought the most friends, in the last week or another time, and from where.',
    query: TopInvitersRequest,
    none: 'Nobody brought a friend in this time.',
    columns: [
      ['Member', ({ member }) => member.email],
      ['Position', ({ member }) => member.position],
      'friends',
      'waiting',
      ['From', ({ sources }) => sources.map(describeSource).join(', ')],
    ],
  }),
  overview: {
    about: 'The main figures of the last 30 days: visits, joins, invites, mail, backup.',
    options: ['json'],
    run: async ({ config, options }) => {
      const query = { tz: ownTimeZone() };
      const overview = await callOperator<Overview>(config, operatorPaths.overview, { query });
      const health = await callOperator<OverviewHealth>(config, operatorPaths.overviewHealth);
      const pairs = Object.entries(figuresOf(overview, health));
      const text = [renderPairs(pairs, ['What', 'Count']), ...health.notices].join('\n\n');
      print(options, { overview, health }, text);
    },
  },
  'pin-source': change('pin-source', {
    about: 'Counts the visits by a source apart, however many others there are.',
  }),
  'unpin-source': change('unpin-source', {
    about: 'Counts the visits by a source apart as long as there is room.',
  }),
};

function describeSource(source: TopInviter['sources'][number]): string {
  const parts = SOURCE_FIELDS.map((field) => source[field]).filter((value) => value !== '');
  return `${parts.join(' ') || 'unknown'} ${source.friends + source.waiting}`;
}

function figuresOf(
  { members, totals, invited_share, k_factor, buckets, first_friend }: Overview,
  { top, masks, mail, guard, database, backup }: OverviewHealth,
) {
  const days = `of ${buckets.length} days`;
  const share = invited_share === null ? '-' : `${(invited_share * 100).toFixed(1)}%`;
  return {
    'Members now': members,
    'Joins today': buckets.at(-1)?.joins ?? 0,
    [`Visits ${days}`]: totals.visits,
    [`Joins ${days}`]: totals.joins,
    'Of these members, invite opened': totals.shared,
    'Of these members, brought a friend': totals.with_friend,
    'Of these joins, brought by members': share,
    'K-factor': k_factor?.toFixed(2) ?? '-',
    'Minutes to the first friend, median': first_friend.quartiles?.[1] ?? '-',
    ...(top && {
      [`Friends of the first ${top.members}`]: top.friends,
      'Of these, not confirmed': top.unconfirmed,
    }),
    'Masks remaining': masks.available,
    'Mails sent in 24 hours': mail.sent,
    'Mails waiting': mail.waiting,
    'Mails failing': mail.failing,
    'Addresses bounced or complained': mail.bounced + mail.complained,
    'Joins refused by a limit in 24 hours': guard.limited,
    'Megabytes of the database': Math.round(database.bytes / MEGABYTE),
    'Last backup': backup.succeeded_at ?? 'never',
  };
}

import { type Static, Type } from 'typebox';
import { Count, Moment, Nullable, TextOrNull } from '../fields.ts';
import { SourceFields } from './member-schemas.ts';

const Ratio = (description: string) => Nullable(Type.Number({ minimum: 0 }), { description });

export const MAX_BUCKETS = 400;

export const OverviewRequest = Type.Object({
  from: Type.Optional(
    Type.String({ maxLength: 40, description: 'ISO 8601. Without it, 30 days or 24 hours ago.' }),
  ),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601. Without it, now.' })),
  bucket: Type.Optional(Type.Enum(['hour', 'day'], { description: 'day when absent' })),
  tz: Type.Optional(
    Type.String({
      maxLength: 60,
      description: 'IANA name of the time zone in which days begin, such as Europe/Berlin; or UTC.',
    }),
  ),
});
export type OverviewRequest = Static<typeof OverviewRequest>;

const counted = {
  visits: Count(
    'Whole landing or invite pages sent to browsers. Not counted: bots that say so, ' +
      'prefetches, HEAD, frames, and pages that a browser or a cache had already (304, or no ' +
      'request at all). One person may visit often.',
  ),
  invite_visits: Count('Visits of an invite page, which `visits` includes.'),
  joins: Count(
    'Members who joined, also those who left later. Members who leave within seconds of joining ' +
      'may be missing.',
  ),
  invited: Count('Joins with the referral code of a member, which `joins` includes.'),
  shared: Count(
    'Members who joined then and whose invite link was opened since: by anybody on the invite ' +
      'page or the landing page, by a program that previews links, or by joining with it.',
  ),
  with_friend: Count('Members who joined then and have since brought one friend or more.'),
  friends: Count('Friends who joined, at any time since, by invites of members who joined then.'),
};

const Bucket = Type.Object({
  starts_at: Moment('When the hour or day begins'),
  ...counted,
  k_factor: Ratio('friends divided by joins; null without joins.'),
});

const CountedSource = Type.Object({
  ...SourceFields.properties,
  visits: counted.visits,
  joins: counted.joins,
  invited: counted.invited,
  is_pinned: Type.Boolean({ description: 'Never makes room for others, and is always listed' }),
});

export const Overview = Type.Object({
  generated_at: Moment('When this was read; a few seconds old at most'),
  time_zone: Type.String(),
  from: Moment('Start of the first hour or day'),
  to: Moment('End of the last hour or day'),
  members: Count('Members in line now.'),
  uncounted: Count(
    'Joins that are not yet in the figures below: usually 0, more for a minute after a million.',
  ),
  totals: Type.Object(counted, { description: 'Sums over the buckets.' }),
  invited_share: Ratio('invited divided by joins, of the totals; null without joins.'),
  k_factor: Ratio('friends divided by joins, of the totals; null without joins.'),
  buckets: Type.Array(Bucket, { description: 'Every hour or day, also empty ones.' }),
  first_friend: Type.Object(
    {
      members: Count('Members, of all times, who brought a friend.'),
      quartiles: Nullable(Type.Array(Type.Integer(), { minItems: 3, maxItems: 3 }), {
        description:
          'Minutes in which a quarter, half (the median) and three quarters of them brought ' +
          'their first; null without any. Rounded down to whole minutes below two hours, to ' +
          'ten minutes below a day, to hours beyond.',
      }),
      histogram: Type.Array(
        Type.Object({
          from_minutes: Type.Integer(),
          to_minutes: Nullable(Type.Integer()),
          members: Type.Integer(),
        }),
        { description: 'Members whose wait was from_minutes or more, and less than to_minutes.' },
      ),
    },
    {
      description:
        "The time from a member's join to the join of the first friend by their invite, of all " +
        'times; longer ones than a year count as a year.',
    },
  ),
  sources: Type.Array(CountedSource, {
    description:
      'Visits and joins by where they came from: by joins, then by visits, at most 200 and those ' +
      'that are pinned. All fields empty: nothing is known. utm_source "(other)": what could not ' +
      'be told apart.',
  }),
  left_off_sources: Count('Further sources with visits or joins.'),
  channels: Type.Array(
    Type.Object({ via: Type.String(), visits: counted.visits, joins: counted.joins }),
    { description: 'The same by share channel: `via` of the links; empty for links without.' },
  ),
});
export type Overview = Static<typeof Overview>;

export const OverviewHealth = Type.Object({
  generated_at: Moment('When this was read; a few seconds old at most'),
  notices: Type.Array(Type.String(), {
    description: 'What the operator should do, a sentence each. Empty when all is well.',
  }),
  top: Type.Object({
    members: Count('Members at the front of the line, as many as there are masks.'),
    friends: Count('Friends who count for them in what pages show.'),
    unconfirmed: Count('Friends of these who have yet to confirm, and count in no frozen line.'),
  }),
  masks: Type.Object({
    promised: Count('Masks that the site promises (brand file).'),
    available: Count('Promised masks in stock that are allocated to nobody.'),
    sizes: Type.Array(
      Type.Object({
        name: Type.String(),
        stock: Type.Integer(),
        allocated: Type.Integer(),
        available: Type.Integer(),
      }),
    ),
  }),
  mail: Type.Object({
    waiting: Count('Mails that wait for their first or next attempt.'),
    failing: Count('Waiting mails that failed at least once; at most 10,000.'),
    oldest_seconds: Type.Number({ description: 'Age of the oldest waiting mail; 0 without one.' }),
    problem: TextOrNull('Why mail does not leave, for people; null: it leaves.'),
    sent: Count('Attempts in the last 24 hours that the mail server accepted.'),
    kept: Count('Mails of the last 24 hours that were kept in files: no mail server is set.'),
    later: Count('Attempts in the last 24 hours that failed and are tried again.'),
    refused: Count('Mails in the last 24 hours that the mail server refused for good.'),
    given_up: Count('Mails given up in the last 24 hours, after failing for a day.'),
    stopped: Count('Addresses, of all times, that unsubscribed.'),
    bounced: Count('Addresses, of all times, without a mailbox.'),
    complained: Count('Addresses, of all times, that marked a mail as spam.'),
  }),
  guard: Type.Object({
    limited: Count('Joins in the last 24 hours that a rate limit refused (429).'),
    proofs_asked: Count('Joins in the last 24 hours that were asked for a proof of work (428).'),
    proofs_brought: Count('Joins in the last 24 hours that brought one.'),
  }),
  database: Type.Object({
    engine: Type.Enum(['embedded', 'postgres']),
    bytes: Count('Size of the database with its indexes.'),
  }),
  backup: Type.Object({
    succeeded_at: Nullable(Type.String(), {
      description: 'When the last good backup with this data folder ended; null: never.',
    }),
    failed_at: Nullable(Type.String(), {
      description: 'When the last failed one ended; null: never.',
    }),
  }),
});
export type OverviewHealth = Static<typeof OverviewHealth>;

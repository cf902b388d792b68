/** Every figure of the overview is the model's, after any history, in any time zone. */

import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Overview } from '../../contract/operator/overview.ts';
import { removeMember } from '../../server/line/change-member.ts';
import { countJoins } from '../../server/line/funnel/count-joins.ts';
import { type Counters, openCounters } from '../../server/line/funnel/counters.ts';
import { getOverview } from '../../server/overview/get-overview.ts';
import { Problem } from '../../server/problem.ts';
import { oneEngine } from '../support/engines.ts';
import { keepFinds } from '../support/keep-finds.ts';
import { provideLine } from '../support/provide-line.ts';
import { isAll, isLong } from '../support/test-form.ts';
import { campaignSource, OverviewModel } from './overview-model.ts';

const HISTORIES = isLong ? 500 : isAll ? 100 : 20;

/** The clocks of Europe change on 29 March 2026, those of Lord Howe by half an hour on 5 April. */
const BEGIN = Date.parse('2026-03-25T21:07:00Z');
const END = Date.parse('2026-04-12T00:00:00Z');
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
];
const CAMPAIGNS = ['', 'a', 'b'];

const passing = fc.oneof(fc.nat(3_600), fc.nat(30 * 3_600));
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('join' as const),
      seconds: passing,
      inviter: fc.option(fc.nat(10)),
      campaign: fc.constantFrom(...CAMPAIGNS),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('visit' as const),
      seconds: passing,
      page: fc.constantFrom('landing' as const, 'invite' as const),
      campaign: fc.constantFrom(...CAMPAIGNS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('open' as const), member: fc.nat(10) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), member: fc.nat(10) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('count' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

describe.each(oneEngine)('the overview on the %s engine', (engine) => {
  const place = provideLine(engine, {}, 'all');
  let counters: Counters;
  beforeAll(() => {
    const onFailure = (error: unknown) => expect.unreachable(String(error));
    counters = openCounters({ database: place.database, onFailure });
  });
  afterAll(() => counters.close());

  const run = (text: string) => place.database.runSql(text);

  async function empty(): Promise<void> {
    await run(`delete from member; delete from visit_count; delete from join_count;
      delete from cohort_count; delete from friend_wait;
      update join_cursor set next_sequence = (select next_sequence from line_state)`);
  }

  let people = 0;
  async function take(model: OverviewModel, each: Step, now: number): Promise<void> {
    const { kysely } = place.database;
    const { inLine } = model;
    if (each.kind === 'count') {
      await countJoins(place.database, { maxMs: 60_000 });
      model.count();
    }
    if (each.kind === 'visit') {
      const { page, campaign } = each;
      counters.countVisit(page, campaign === '' ? null : campaignSource(campaign), '192.0.2.1');
      await counters.flush();
      // Counted now: as if that had been then.
      await sql`
        with moved as (delete from visit_count where quarter > ${new Date(END)} returning *)
        insert into visit_count as kept
        select quarter_of(${new Date(now)}), page, source_id, visits from moved
        on conflict (quarter, page, source_id) do update set visits = kept.visits + 1
      `.execute(kysely);
      model.visits.push({ at: now, page, campaign });
    }
    if (each.kind === 'join') {
      people += 1;
      const referrer = each.inviter === null ? null : (inLine[each.inviter] ?? null);
      const { body, memberId } = await place.queue.join({
        email: `person${people}@example.com`,
        referredBy: referrer?.code ?? null,
        idempotencyKey: null,
        source: each.campaign === '' ? null : campaignSource(each.campaign),
      });
      const id = String(memberId);
      await sql`update member set joined_at = ${new Date(now)} where id = ${id}`.execute(kysely);
      const { campaign } = each;
      const code = JSON.parse(body).referral_code;
      model.join({ id, code, joinedAt: now, campaign, referrer });
    }
    const member = 'member' in each ? inLine[each.member] : undefined;
    if (member === undefined) return;
    if (each.kind === 'open') {
      counters.countOpening(member.code);
      await counters.flush();
      model.open(member);
    }
    if (each.kind === 'remove') {
      await removeMember(place.database, { memberId: member.id });
      model.remove(member);
    }
  }

  const period = { from: new Date(BEGIN).toISOString(), to: new Date(END).toISOString() };

  test('is the model after any history, in any time zone', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.constantFrom(...ZONES),
        async (steps, tz) => {
          await empty();
          const model = new OverviewModel();
          let now = BEGIN;
          for (const each of steps) {
            if ('seconds' in each) now = Math.min(END - 1, now + each.seconds * 1_000);
            await take(model, each, now);
          }
          const overview = await getOverview(place.database, { ...period, tz });
          model.count();
          compare(overview, model, tz);
        },
      ),
      keepFinds({ numRuns: HISTORIES }),
    );
  });

  function compare(overview: Overview, model: OverviewModel, tz: string): void {
    const { buckets, totals, from, to, first_friend: wait } = overview;
    const isInside = (at: number) => at >= Date.parse(from) && at < Date.parse(to);
    expect(overview.members).toBe(model.inLine.length);
    expect(overview.uncounted).toBe(0);
    expect(totals).toEqual(model.figures(isInside));
    const dateOf = (at: number) => new Date(at).toLocaleDateString('sv-SE', { timeZone: tz });
    const dates = buckets.map(({ starts_at }) => dateOf(Date.parse(starts_at)));
    expect(new Set(dates).size).toBe(dates.length);
    for (const [index, { starts_at, k_factor, ...counts }] of buckets.entries()) {
      const midnight = new Date(starts_at).toLocaleTimeString('sv-SE', { timeZone: tz });
      expect(midnight).toBe('00:00:00');
      expect(counts).toEqual(model.figures((at) => dateOf(at) === dates[index]));
      expect(k_factor).toBe(counts.joins === 0 ? null : counts.friends / counts.joins);
    }
    const waits = model.waits();
    expect(wait.members).toBe(waits.length);
    const at = (share: number) => waits[Math.ceil(waits.length * share) - 1];
    expect(wait.quartiles).toEqual(waits.length === 0 ? null : [at(0.25), at(0.5), at(0.75)]);
    for (const { from_minutes, to_minutes, members } of wait.histogram)
      expect(members).toBe(
        waits.filter((one) => one >= from_minutes && one < (to_minutes ?? Infinity)).length,
      );
    const found = overview.sources.map(({ utm_campaign, visits, joins }) => [
      utm_campaign,
      { visits, joins },
    ]);
    expect(Object.fromEntries(found)).toEqual(model.bySource(isInside));
  }

  test('hours follow each other without a gap when the clocks change', async () => {
    const day = { from: '2026-03-28T23:00:00Z', to: '2026-03-29T22:00:00Z' };
    const { buckets } = await getOverview(place.database, {
      ...day,
      bucket: 'hour',
      tz: 'Europe/Berlin',
    });
    expect(buckets).toHaveLength(23);
    const { buckets: days } = await getOverview(place.database, { ...day, tz: 'Europe/Berlin' });
    expect(days.map(({ starts_at }) => starts_at)).toEqual(['2026-03-28T23:00:00.000Z']);
  });

  test('is all zeros on an empty line', async () => {
    await empty();
    const overview = await getOverview(place.database, { tz: 'Asia/Tokyo' });
    expect(overview).toMatchObject({
      members: 0,
      uncounted: 0,
      invited_share: null,
      k_factor: null,
      sources: [],
      channels: [],
      first_friend: { members: 0, quartiles: null },
    });
    expect(overview.buckets).toHaveLength(31);
  });

  test.each([
    ['an unknown zone', { tz: 'Mars/Olympus' }],
    ['a time that is none', { from: 'yesterday' }],
    ['a period that ends before it begins', { from: '2026-05-02', to: '2026-05-01' }],
    ['too many days', { from: '2020-01-01', to: '2026-05-01' }],
  ])('refuses %s in a sentence', async (_what, request) => {
    await expect(getOverview(place.database, request)).rejects.toBeInstanceOf(Problem);
  });
});

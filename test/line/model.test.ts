import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand as ownBrand } from '../../brand/brand.ts';
import type { LineRule } from '../../brand/brand-shape.ts';
import { Problem } from '../../server/problem.ts';
import { getStats } from '../../server/waitlist/get-stats.ts';
import { openStatusReader, type StatusReader } from '../../server/waitlist/get-status.ts';
import { type JoinAnswer, type JoinQueue, openJoinQueue } from '../../server/waitlist/join.ts';
import { prepareLine } from '../../server/waitlist/prepare-line.ts';
import { removeMember } from '../../server/waitlist/remove-member.ts';
import { verifyLine } from '../../server/waitlist/verify-line.ts';
import { engines, openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { LineModel, type ModelAnswer, type ModelMember } from './model.ts';
import { spellings } from './spellings.ts';

/** LONG=1 is `npm run test:long`: at least 2,000 histories of 100 steps over the four combinations. */
const isLong = process.env.LONG === '1';
const HISTORIES = isLong ? 500 : 75;
const STEPS = isLong ? { minLength: 100, maxLength: 100 } : { minLength: 1, maxLength: 30 };

const rules: LineRule[] = [{ name: 'points' }, { name: 'skip' }];
const combinations = engines.flatMap((engine) => rules.map((rule) => ({ engine, rule })));

type Join = { kind: 'join'; person: number; spelling: number; inviter: number | 'unknown' | null; key: number | null };
type Step = Join | { kind: 'burst'; joins: Join[] } | { kind: 'remove'; member: number } | { kind: 'strangers' };

const join: fc.Arbitrary<Join> = fc.record({
  kind: fc.constant('join'),
  person: fc.nat(25),
  spelling: fc.nat(7),
  inviter: fc.oneof({ weight: 5, arbitrary: fc.nat(30) }, fc.constant('unknown' as const), fc.constant(null)),
  key: fc.oneof(fc.nat(6), fc.constant(null)),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: join },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('burst'), joins: fc.array(join, { minLength: 2, maxLength: 8 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove'), member: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('strangers') }) },
);

describe.each(combinations)('the line under rule "$rule.name" on the $engine engine', ({ engine, rule }) => {
  const brand = { ...ownBrand, lineRule: rule };
  let place: TestDatabase;
  let joins: JoinQueue;
  let reader: StatusReader;

  beforeAll(async () => {
    place = await openTestDatabase(engine);
    await prepareLine(place.database, brand);
    joins = openJoinQueue({ database: place.database, brand });
    reader = openStatusReader({ database: place.database, brand });
  });

  afterAll(async () => {
    await Promise.all([joins.close(), reader.close()]);
    await place.close();
  });

  test('is the model after every step of any history', { timeout: isLong ? 3_600_000 : 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, STEPS), async (steps) => {
        await place.database.kysely.deleteFrom('member').execute();
        expect(await place.database.kysely.selectFrom('rank_bucket').selectAll().execute()).toEqual([]);
        const history = new History(new LineModel(rule));
        for (const each of steps) {
          await history.take(each);
          await history.compare();
        }
        expect((await verifyLine(place.database, brand)).differences).toEqual([]);
      }),
      { numRuns: HISTORIES },
    );
  });

  /** One history, told to the server and to the model. Removed members keep their number, so that they can be invited by. */
  class History {
    readonly model: LineModel;
    readonly everybody: ModelMember[] = [];
    readonly bodies = new Map<ModelMember, string>();

    constructor(model: LineModel) {
      this.model = model;
    }

    async take(each: Step): Promise<void> {
      if (each.kind === 'join') await this.joinTogether([each]);
      if (each.kind === 'burst') await this.joinTogether(each.joins);
      if (each.kind === 'remove') await this.remove(each.member);
      if (each.kind === 'strangers') await this.askForStrangers();
    }

    /** Those that come together are one batch: they join in their order, at one instant. */
    async joinTogether(together: Join[]): Promise<void> {
      const requests = together.map((each) => this.request(each));
      const answers = await Promise.allSettled(
        requests.map(({ email, code, key }) => joins.join({ email, referredBy: code, idempotencyKey: key })),
      );
      const expected = requests.map((request) => this.model.join(request));
      for (const [index, answer] of expected.entries()) this.learn(answer, at(answers, index));
      for (const [index, answer] of expected.entries()) this.check(answer, at(answers, index));
    }

    request({ person, spelling, inviter, key }: Join) {
      const name = `p${person}`;
      const code = typeof inviter === 'number' ? (this.everybody[inviter]?.code.toLowerCase() ?? null) : inviter;
      return { name, email: at(spellings(name), spelling), code, key: key === null ? null : `${key} of ${this.id}` };
    }

    readonly id = crypto.randomUUID();

    learn(expected: ModelAnswer, answer: PromiseSettledResult<JoinAnswer>): void {
      if (expected.kind !== 'joined' || expected.member.id !== '' || answer.status === 'rejected') return;
      const told = JSON.parse(answer.value.body);
      expected.member.id = told.id;
      expected.member.code = told.referral_code;
      this.everybody.push(expected.member);
    }

    check(expected: ModelAnswer, answer: PromiseSettledResult<JoinAnswer>): void {
      if (expected.kind === 'conflict') {
        expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'idempotency_conflict' } });
        return;
      }
      if (answer.status === 'rejected') throw answer.reason;
      const { statusCode, body, memberId } = answer.value;
      if (expected.kind === 'known') {
        expect({ statusCode, memberId }).toEqual({ statusCode: 409, memberId: null });
        expect(JSON.parse(body)).toEqual({ detail: expect.stringContaining('already registered') });
        return;
      }
      const { member } = expected;
      expect({ statusCode, memberId }).toEqual({ statusCode: 201, memberId: member.id });
      const before = this.bodies.get(member);
      if (before === undefined)
        expect(JSON.parse(body)).toMatchObject({
          id: member.id,
          referral_code: member.code,
          referral_count: 0,
          position: this.model.inOrder().indexOf(member) + 1,
        });
      else expect(body).toBe(before);
      this.bodies.set(member, body);
    }

    async remove(number: number): Promise<void> {
      const member = this.everybody[number];
      if (member === undefined) return;
      const removal = removeMember(place.database, { memberId: member.id });
      if (this.model.members.includes(member)) {
        await removal;
        this.model.remove(member);
      } else await expect(removal).rejects.toMatchObject({ code: 'unknown_member' });
    }

    async askForStrangers(): Promise<void> {
      const removed = this.everybody.filter((member) => !this.model.members.includes(member));
      for (const id of [crypto.randomUUID(), 'nobody', '', ...removed.map((member) => member.id)])
        await expect(reader.getStatus(id)).rejects.toBeInstanceOf(Problem);
    }

    async compare(): Promise<void> {
      const line = this.model.inOrder();
      const statuses = await Promise.all(line.map((member) => reader.getStatus(member.id)));
      expect(
        statuses.map(({ id, position, referral_count, referral_code }) => ({
          id,
          position,
          referral_count,
          referral_code,
        })),
      ).toEqual(
        line.map((member, index) => ({
          id: member.id,
          position: index + 1,
          referral_count: this.model.friends(member),
          referral_code: member.code,
        })),
      );
      const counts = line.map((member) => this.model.friends(member)).filter((friends) => friends > 0);
      expect(await getStats(place.database)).toMatchObject({
        total_signups: line.length,
        top_referrers: counts
          .sort((a, b) => b - a)
          .slice(0, 10)
          .map((referrals) => ({ referrals })),
      });
    }
  }
});

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`There is no number ${index}.`);
  return item;
}

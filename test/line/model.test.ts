import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { Member } from '../../contract/schemas.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { confirmMember, removeMember } from '../../server/line/change-member.ts';
import { openStatusReader, type StatusReader } from '../../server/line/get-status.ts';
import { type JoinAnswer, type JoinQueue, openJoinQueue } from '../../server/line/join/join.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { Problem } from '../../server/problem.ts';
import { getStats } from '../../server/visitors/get-stats.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { keepFinds } from '../support/keep-finds.ts';
import { isAll, isLong } from '../support/test-form.ts';
import { LineModel, type ModelAnswer, type ModelMember, type ReferralCredit } from './model.ts';
import { ChangeHistory } from './model-changes.ts';
import { CreditHistory } from './model-credits.ts';
import { InviterHistory } from './model-inviters.ts';
import { CREDITS, type Join, type Step, step } from './model-steps.ts';
import { spellings } from './spellings.ts';

/** `npm run test:long` takes 2,000 histories of 100 steps over both engines. */
const HISTORIES = isLong ? 1_000 : isAll ? 100 : 20;
const STEPS = isLong ? { minLength: 100, maxLength: 100 } : { minLength: 1, maxLength: 30 };

describe.each(oneEngine)('the line on the %s engine', (engine) => {
  let place: TestDatabase;
  let joins: Record<ReferralCredit, JoinQueue>;
  let reader: StatusReader;

  beforeAll(async () => {
    place = await openTestDatabase(engine);
    await prepareSizes(place.database, brand);
    const { database } = place;
    joins = {
      settle: openJoinQueue({ database, brand, referralCredit: 'settle' }),
      confirm: openJoinQueue({ database, brand, referralCredit: 'confirm' }),
    };
    reader = openStatusReader({ database, brand });
  });

  afterAll(async () => {
    await Promise.all([...CREDITS.map((credit) => joins[credit].close()), reader.close()]);
    await place.close();
  });

  test('is the model after every step of any history', {
    timeout: isLong ? 7_200_000 : 900_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, STEPS),
        fc.constantFrom(...CREDITS),
        async (steps, credit) => {
          await place.database.runSql('delete from removed_member');
          await place.database.kysely.deleteFrom('member').execute();
          expect((await place.database.runSql('select * from count_node')).rows).toEqual([]);
          const history = new History(new LineModel());
          history.model.credit = credit;
          for (const each of steps) {
            await history.take(each);
            await history.compare();
          }
          expect((await verifyLine(place.database)).differences).toEqual([]);
        },
      ),
      keepFinds({ numRuns: HISTORIES }),
    );
  });

  /**
   * One history, on the server and on the model. Removed members keep their number, so that
   * they can be invited by.
   */
  class History {
    readonly model: LineModel;
    readonly everybody: ModelMember[] = [];
    readonly bodies = new Map<ModelMember, string>();
    readonly #changes: ChangeHistory;
    readonly #credits: CreditHistory;
    readonly #inviters: InviterHistory;

    constructor(model: LineModel) {
      this.model = model;
      this.#changes = new ChangeHistory(place.database, model, this.everybody);
      this.#credits = new CreditHistory(place.database, model, this.everybody);
      this.#inviters = new InviterHistory(place.database, model, this.everybody);
    }

    async take(each: Step): Promise<void> {
      if (each.kind === 'join') await this.joinTogether([each]);
      if (each.kind === 'burst') await this.joinTogether(each.joins);
      if (each.kind === 'confirm') await this.confirm(each);
      if (each.kind === 'remove') await this.remove(each.member);
      if (each.kind === 'inviter') await this.#inviters.take(each);
      if (each.kind === 'credit') this.model.credit = each.credit;
      if (each.kind === 'strangers') await this.askForStrangers();
      if (each.kind === 'change') await this.#changes.take(each);
      if (each.kind === 'decide') await this.#credits.take(each);
    }

    /** Joins that arrive together are one batch: they join in order, at one instant. */
    async joinTogether(together: Join[]): Promise<void> {
      const requests = together.map((each) => this.request(each));
      const queue = joins[this.model.credit];
      const answers = await Promise.allSettled(
        requests.map(({ email, code, key }) =>
          queue.join({
            email,
            referredBy: code,
            idempotencyKey: key,
          }),
        ),
      );
      const expected = this.model.joinTogether(requests);
      for (const [index, answer] of expected.entries()) this.learn(answer, at(answers, index));
      for (const [index, answer] of expected.entries()) this.check(answer, at(answers, index));
    }

    request({ person, spelling, inviter, key }: Join) {
      const name = `p${person}`;
      const code =
        typeof inviter === 'number'
          ? (this.everybody[inviter]?.code.toLowerCase() ?? null)
          : inviter;
      return {
        name,
        email: at(spellings(name), spelling),
        code,
        key: key === null ? null : `${key} of ${this.id}`,
      };
    }

    readonly id = crypto.randomUUID();

    learn(expected: ModelAnswer, answer: PromiseSettledResult<JoinAnswer>): void {
      if (expected.kind !== 'joined' || expected.member.id !== '' || answer.status === 'rejected')
        return;
      const told = JSON.parse(answer.value.body);
      expected.member.id = told.id;
      expected.member.code = told.referral_code;
      this.everybody.push(expected.member);
    }

    check(expected: ModelAnswer, answer: PromiseSettledResult<JoinAnswer>): void {
      if (expected.kind === 'conflict') {
        expect(answer).toMatchObject({
          status: 'rejected',
          reason: { code: 'idempotency_conflict' },
        });
        return;
      }
      if (answer.status === 'rejected') throw answer.reason;
      const { statusCode, body, memberId } = answer.value;
      if (expected.kind === 'known') {
        expect({ statusCode, memberId }).toEqual({ statusCode: 409, memberId: null });
        expect(JSON.parse(body)).toEqual({
          detail: expect.stringContaining('already registered'),
          code: 'already_registered',
        });
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
          position: expected.position,
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

    async confirm({ member: number, inviter }: { member: number; inviter: number }): Promise<void> {
      const member = this.everybody[number];
      if (member === undefined) return;
      const { id: memberId } = member;
      const isHere = this.model.members.includes(member);
      const possible = isHere ? this.model.possibleInviters(member) : [];
      if (possible.length > 0)
        expect(await confirmMember(place.database, { memberId })).toBe('asked');
      const chosen = possible[inviter % (possible.length + 1)] ?? null;
      const invitedBy = possible.length > 0 ? (chosen?.code ?? 'none') : null;
      expect(await confirmMember(place.database, { memberId, invitedBy })).toBe(
        isHere ? 'confirmed' : 'unknown',
      );
      if (isHere) this.model.confirm(member, chosen);
    }

    async askForStrangers(): Promise<void> {
      const removed = this.everybody.filter((member) => !this.model.members.includes(member));
      for (const id of [crypto.randomUUID(), 'nobody', '', ...removed.map((member) => member.id)])
        await expect(reader.getStatus(id)).rejects.toBeInstanceOf(Problem);
    }

    async compare(): Promise<void> {
      const line = this.model.inOrder();
      const statuses = await Promise.all(line.map((member) => reader.getStatus(member.id)));
      expect(statuses.map(withoutTiers)).toEqual(
        line.map((member, index) => ({
          id: member.id,
          position: index + 1,
          referral_count: this.model.friends(member),
          referral_code: member.code,
          joined_referrals: this.model.joined(member),
          confirmed_referrals: this.model.confirmed(member),
          // Every member of the model has a mailbox of their own, at one domain.
          settled_referrals: settle(this.model.confirmed(member)),
          is_confirmed: member.isConfirmed,
        })),
      );
      const counts = line
        .map((member) => this.model.friends(member))
        .filter((friends) => friends > 0);
      expect(await getStats(place.database, brand)).toMatchObject({
        total_signups: line.length,
        top_referrers: counts
          .sort((a, b) => b - a)
          .slice(0, 10)
          .map((referrals) => ({ referrals })),
      });
    }
  }
});

const settle = (confirmed: number) =>
  Math.min(25, confirmed) + Math.floor(Math.max(0, confirmed - 25) / 2);

function withoutTiers({
  email: _email,
  tier_level: _level,
  next_tier: _next,
  rewards_unlocked: _all,
  rewards_waiting: _waiting,
  ...rest
}: Member) {
  return rest;
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`There is no number ${index}.`);
  return item;
}

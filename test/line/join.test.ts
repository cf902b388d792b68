import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { Member } from '../../contract/schemas.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { removeMember } from '../../server/line/change-member.ts';
import { openStatusReader } from '../../server/line/get-status.ts';
import { type JoinAnswer, type JoinQueue, openJoinQueue } from '../../server/line/join/join.ts';
import type { JoinRequest } from '../../server/line/join/join-request.ts';
import { sortKey } from '../../server/line/line-rules.ts';
import { openReferralVerifier } from '../../server/line/referrals/verify-referral.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { findMembers } from '../../server/members/list/read-members.ts';
import { getStats } from '../../server/visitors/get-stats.ts';
import { type Engine, oneEngine, openTestDatabase, type TestDatabase } from '../support/engines.ts';

let place: TestDatabase;
let queue: JoinQueue;

async function open(engine: Engine): Promise<void> {
  place = await openTestDatabase(engine);
  await prepareSizes(place.database, brand);
  queue = openJoinQueue({ database: place.database, brand });
}

afterEach(async () => {
  await queue.close();
  await place.close();
});

async function join(email: string, rest: Partial<JoinRequest> = {}): Promise<JoinAnswer> {
  return await queue.join({ email, referredBy: null, idempotencyKey: null, ...rest });
}

/** All at once. */
async function verify(codes: readonly string[], inviterEmail: 'full' | 'masked' = 'full') {
  const verifier = openReferralVerifier({ database: place.database, inviterEmail });
  const verified = await Promise.all(codes.map((code) => verifier.verifyReferral(code)));
  await verifier.close();
  return verified;
}

function memberOf(answer: JoinAnswer): Member {
  return JSON.parse(answer.body);
}

describe.each(oneEngine)('joining on the %s engine', (engine) => {
  beforeEach(() => open(engine));

  test.each(['settle', 'confirm'] as const)(
    'the answer of a join is the status of that moment; credit by the rule %s',
    async (referralCredit) => {
      await queue.close();
      queue = openJoinQueue({ database: place.database, brand, referralCredit });
      await join('first@example.com');
      const answer = await join('  Second@Example.com ');
      const reader = openStatusReader({ database: place.database, brand });
      const { id } = memberOf(answer);
      const status = await reader.getStatus(id);
      await reader.close();
      expect(answer.body).toBe(JSON.stringify(status));
      const fresh = { position: 2, tier_level: 0, rewards_unlocked: [] };
      expect(status).toMatchObject({ email: 'Second@Example.com', ...fresh });
    },
  );

  test('a code that is taken is replaced by another one', async () => {
    const taken = new Uint8Array(10).fill(1);
    const bytes = [taken, taken, taken, new Uint8Array(10).fill(2)];
    await queue.close();
    queue = openJoinQueue({
      database: place.database,
      brand,
      random: () => bytes.shift() ?? taken,
    });
    expect(memberOf(await join('ann@example.com')).referral_code).toBe('1111111111');
    expect(memberOf(await join('bob@example.com')).referral_code).toBe('2222222222');
    await expect(join('eve@example.com')).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('one that the database refuses does not fail the others of its batch', async () => {
    await place.database.runSql(
      `alter table member add constraint no_mallory check (email <> 'mallory@example.com')`,
    );
    const settled = await Promise.allSettled(
      ['ann', 'bob', 'mallory', 'eve'].map((name) => join(`${name}@example.com`)),
    );
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(settled[2]).toMatchObject({ reason: { code: 'unavailable' } });
    expect(await verifyLine(place.database)).toEqual({ members: 3, differences: [] });
  });

  describe('with an Idempotency-Key', () => {
    const withKey = { idempotencyKey: 'key-1' };

    test('the same join gets the same bytes, from another node and after a restart', async () => {
      const first = await join('ann@example.com', withKey);
      await join('bob@example.com', { referredBy: memberOf(first).referral_code });
      await queue.close();
      queue = openJoinQueue({ database: place.database, brand });
      expect(await join('ann@example.com', withKey)).toEqual(first);
    });

    test('what joined with it can be recalled without joining', async () => {
      const request = { email: 'ann@example.com', referredBy: null, idempotencyKey: 'key-1' };
      expect(await queue.recall(request)).toBeNull();
      const first = await queue.join(request);
      expect(await queue.recall(request)).toEqual(first);
      expect(await queue.recall({ ...request, email: 'bob@example.com' })).toBeNull();
      expect(await queue.recall({ ...request, idempotencyKey: null })).toBeNull();
    });

    test('a hundred retries at once are one member and one answer', async () => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => join('ann@example.com', withKey)),
      );
      expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
      expect(answers[99]?.statusCode).toBe(201);
    });

    test('after 24 hours the key is free', async () => {
      const first = await join('ann@example.com', withKey);
      const age = (hours: number) =>
        place.database.runSql(
          `update member set joined_at = clock_timestamp() - interval '${hours} hours'`,
        );
      await age(23);
      expect(await join('ann@example.com', withKey)).toEqual(first);
      await age(25);
      expect((await join('ann@example.com', withKey)).statusCode).toBe(409);
      const second = await join('bob@example.com', withKey);
      expect(second.statusCode).toBe(201);
      expect(await join('bob@example.com', withKey)).toEqual(second);
      await expect(join('ann@example.com', withKey)).rejects.toMatchObject({
        code: 'idempotency_conflict',
      });
    });
  });

  test('a member who leaves takes the credit along, and friends keep their positions', async () => {
    const ann = memberOf(await join('ann@example.com'));
    const bob = memberOf(await join('bob@example.com', { referredBy: ann.referral_code }));
    const eve = memberOf(await join('eve@example.com', { referredBy: bob.referral_code }));
    await removeMember(place.database, { memberId: bob.id.toUpperCase() });
    const [annNow] = await findMembers(place.database, brand, { text: ann.referral_code });
    const [eveNow] = await findMembers(place.database, brand, { text: 'EVE@example.com' });
    expect(annNow).toMatchObject({ id: ann.id, referral_count: 0, position: 2 });
    expect(eveNow).toMatchObject({ id: eve.id, is_invited: true, referred_by: null, position: 1 });
    expect(await verify([bob.referral_code])).toEqual([{ valid: false, referrer_email: null }]);
    await expect(removeMember(place.database, { memberId: bob.id })).rejects.toMatchObject({
      code: 'unknown_member',
    });
    expect(await verifyLine(place.database)).toEqual({ members: 2, differences: [] });
  });

  test('codes are verified in any letter case, with the address in full or masked', async () => {
    const ann = memberOf(await join('Alice@example.com'));
    const bob = memberOf(await join('bob@example.com'));
    const codes = [
      ` ${ann.referral_code.toLowerCase()} `,
      '0000000000',
      'nonsense',
      bob.referral_code,
      ann.referral_code,
    ];
    const nobody = { valid: false, referrer_email: null };
    const [alice, robert] = ['Alice@example.com', 'bob@example.com'].map((email) => ({
      valid: true,
      referrer_email: email,
    }));
    expect(await verify(codes)).toEqual([alice, nobody, nobody, robert, alice]);
    expect(await verify(codes.slice(0, 1), 'masked')).toEqual([
      { valid: true, referrer_email: 'Al•••@example.com' },
    ]);
  });

  test('the database works out the same sort keys', async () => {
    const counts = [...Array(120).keys(), 257_143];
    const { rows } = await sql<{ key: number }>`
      select sort_key_of(9000, credits, true, -3) as key
      from unnest(${counts}::bigint[]) with ordinality as asked (credits, number)
      order by number`.execute(place.database.kysely);
    const standing = { sequence: 9_000, isInvited: true, adjustment: -3 };
    const keys = counts.map((credits) => sortKey({ ...standing, credits }));
    expect(rows.map(({ key }) => key)).toEqual(keys);
  });

  test('the line is not emptied past its counts', async () => {
    await join('ann@example.com');
    await expect(sql`truncate member cascade`.execute(place.database.kysely)).rejects.toThrow(
      /cannot be truncated/,
    );
    expect((await getStats(place.database, brand)).total_signups).toBe(1);
  });
});

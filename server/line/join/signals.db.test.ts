import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import type { Member } from '../../../contract/schemas.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { prepareSizes } from '../../drop/stock/stock.ts';
import { confirmMember, removeMember } from '../change-member.ts';
import { openStatusReader } from '../get-status.ts';
import { verifyLine } from '../verify/verify-line.ts';
import { type JoinQueue, openJoinQueue } from './join.ts';
import type { JoinRequest } from './join-request.ts';

const strong = { rules: ['mailbox', 'pace'], score: 120 };
const weak = { rules: ['pace'], score: 99 };

describe.each(oneEngine)('fraud signals of a friend on the %s engine', (engine) => {
  let place: TestDatabase;
  let queue: JoinQueue;

  beforeEach(async () => {
    place = await openTestDatabase(engine);
    await prepareSizes(place.database, brand);
    queue = open('join');
  });
  afterEach(async () => {
    await queue.close();
    await place.close();
  });

  const open = (referralCredit: 'join' | 'confirm') =>
    openJoinQueue({ database: place.database, brand, referralCredit, holdThreshold: 100 });

  async function join(name: string, rest: Partial<JoinRequest> = {}): Promise<Member> {
    const email = `${name}@example.com`;
    const { body } = await queue.join({ email, referredBy: null, idempotencyKey: null, ...rest });
    return JSON.parse(body);
  }

  async function countOf({ id }: Member): Promise<number> {
    const reader = openStatusReader({ database: place.database, brand });
    const { referral_count } = await reader.getStatus(id);
    await reader.close();
    return referral_count;
  }

  const credits = async () =>
    (
      await place.database.kysely
        .selectFrom('member')
        .select('credit')
        .orderBy('sequence')
        .execute()
    )
      .map(({ credit }) => credit)
      .join(' ');
  const cases = () =>
    place.database.kysely
      .selectFrom('credit_case')
      .innerJoin('member', 'member.id', 'credit_case.member_id')
      .select(['email', 'rules', 'score', 'holds', 'decided_by'])
      .orderBy('sequence')
      .execute();

  test('a score holds the credit from the threshold on; a smaller one is recorded', async () => {
    const ann = await join('ann');
    const referredBy = ann.referral_code;
    await Promise.all([
      join('clean', { referredBy }),
      join('weak', { referredBy, signals: weak }),
      join('strong', { referredBy, signals: strong }),
      join('alone', { signals: strong }),
      join('stranger', { referredBy: 'ZZZZZZZZZZ', signals: strong }),
    ]);
    expect(await credits()).toBe('none given given held none none');
    expect(await cases()).toEqual([
      { email: 'weak@example.com', ...weak, holds: false, decided_by: null },
      { email: 'strong@example.com', ...strong, holds: true, decided_by: null },
    ]);
    expect(await countOf(ann)).toBe(2);
    expect((await verifyLine(place.database)).differences).toEqual([]);
  });

  test('a held friend is answered and in line like any other, and a retry the same', async () => {
    const { referral_code: referredBy } = await join('ann');
    const request = { email: 'friend@example.com', referredBy, idempotencyKey: 'key' };
    const first = await queue.join({ ...request, signals: strong });
    expect(JSON.parse(first.body)).toMatchObject({ position: 1, referral_count: 0 });
    expect(await queue.join({ ...request, signals: null })).toEqual(first);
    expect(await credits()).toBe('none held');
  });

  test('where friends confirm, a suspicious credit is pending and then held', async () => {
    await queue.close();
    queue = open('confirm');
    const ann = await join('ann');
    const referredBy = ann.referral_code;
    const friends = [
      await join('strong', { referredBy, signals: strong }),
      await join('weak', { referredBy, signals: weak }),
    ];
    expect(await credits()).toBe('none pending pending');
    for (const { id: memberId } of [...friends, ...friends])
      await confirmMember(place.database, { memberId });
    expect(await credits()).toBe('none held given');
    expect(await countOf(ann)).toBe(1);
  });

  test('all further credits of a code on hold are held, for this reason too', async () => {
    const ann = await join('ann');
    const bob = await join('bob');
    await place.database.runSql('insert into code_hold (member_id) values ($1)', [ann.id]);
    await join('friend', { referredBy: ann.referral_code });
    await join('suspicious', { referredBy: ann.referral_code, signals: weak });
    await join('other', { referredBy: bob.referral_code });
    expect(await credits()).toBe('none none held held given');
    expect(await cases()).toMatchObject([
      { rules: ['code-on-hold'], score: 0, holds: true },
      { rules: ['pace', 'code-on-hold'], score: 99, holds: true },
    ]);
  });

  test('no fraud signal stays when the friend leaves', async () => {
    const { referral_code: referredBy } = await join('ann');
    const { id } = await join('friend', { referredBy, signals: strong });
    await removeMember(place.database, { memberId: id });
    expect(await cases()).toEqual([]);
  });
});

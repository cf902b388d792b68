import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { MailFrame } from '../../contract/mails.ts';
import { ownStatusPath } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../test/support/engines.ts';
import { prepareSizes } from '../drop/stock/stock.ts';
import { removeMember } from '../line/change-member.ts';
import { getRecipients } from '../line/get-recipients.ts';
import { type JoinQueue, openJoinQueue } from '../line/join/join.ts';
import { type MailQueue, openMailQueue, queueMails } from './delivery/queue.ts';
import { composeMail } from './mail-content-rules.ts';

const publicUrl = 'https://line.example.com';

describe.each(oneEngine)('the status link of a mail about friends on %s', (engine) => {
  let place: TestDatabase;
  let line: JoinQueue;
  let mails: MailQueue;
  let joined = 0;

  beforeEach(async () => {
    place = await openTestDatabase(engine);
    await prepareSizes(place.database, brand);
    line = openJoinQueue({ database: place.database, brand });
    mails = await openMailQueue(place.database, {
      mailsPerSecond: 1000,
      onError: (error) => {
        throw error;
      },
    });
  });

  afterEach(async () => {
    await Promise.all([line.close(), mails.close()]);
    await place.close();
  });

  async function join(count: number, referrer: Member | null = null): Promise<Member[]> {
    const members: Member[] = [];
    while (members.length < count) {
      joined += 1;
      const email = `m${joined}@example.com`;
      const referredBy = referrer?.referral_code ?? null;
      const { body } = await line.join({ email, referredBy, idempotencyKey: null });
      members.push(JSON.parse(body));
    }
    return members;
  }

  const join1 = async (referrer: Member | null = null) => (await join(1, referrer))[0] as Member;

  const read = async ({ id }: Member) => {
    const member = (await getRecipients(place.database, [id])).get(id);
    if (member === undefined) throw new Error('The member is not in line.');
    return member;
  };

  async function readLink(
    member: Member,
    newFriends: number | null,
    referralCredit: 'confirm' | 'settle' = 'confirm',
  ): Promise<string> {
    await place.database.runSql(`delete from mail_outbox`);
    const request = { memberId: member.id };
    await queueMails(place.database.kysely, [
      newFriends === null
        ? { ...request, kind: 'welcome' }
        : { ...request, kind: 'friends', newFriends },
    ]);
    const [job] = await mails.take(1);
    if (job === undefined) throw new Error('No mail was taken.');
    let frame: MailFrame | null = null;
    const composed = composeMail(
      {
        brand,
        publicUrl,
        secretKey: 'a secret key of a test',
        referralCredit,
        artVersion: '1',
        renderMail: (_content, rendered) => {
          frame = rendered;
          return { subject: '', text: '', html: '' };
        },
      },
      job,
      { ...(await read(member)), isStopped: false },
    );
    expect(composed).toMatchObject({ memberId: member.id });
    await mails.settle(job, { outcome: 'sent' });
    return (frame as MailFrame | null)?.statusLink ?? '';
  }

  test.each([0, 1, 4])('has the place of a member with %i earlier friends', async (earlier) => {
    await join(6);
    const ann = await join1();
    const others = await join(8);
    await join(earlier, ann);
    const atFirst = await read(ann);
    const newFriends = await join(3, ann);
    const link = publicUrl + ownStatusPath(ann.id);
    await expect(readLink(ann, 3)).resolves.toBe(`${link}&was=${atFirst.position}.${earlier}`);

    // Others join and climb, also by friends of the new friends, before the mail leaves.
    await join(7, others[2]);
    await join(3, newFriends[0]);
    await join(1, newFriends[1]);
    await join(5);
    const mailed = await readLink(ann, 3);
    for (const { id: memberId } of newFriends) await removeMember(place.database, { memberId });
    const { position, referralCount } = await read(ann);
    expect(referralCount).toBe(earlier);
    expect(mailed).toBe(`${link}&was=${position}.${earlier}`);
  });

  test('has it after the token that confirms, too', async () => {
    const ann = await join1(await join1());
    await join(2);
    const { position } = await read(ann);
    await join(1, ann);
    await expect(readLink(ann, 1, 'settle')).resolves.toMatch(
      new RegExp(`/thank-you/${ann.id}#confirm=[\\w-]+&was=${position}\\.0$`),
    );
  });

  test('is bare in other mails, and once the friends have left', async () => {
    const ann = await join1();
    await join(1, ann);
    const link = publicUrl + ownStatusPath(ann.id);
    await expect(readLink(ann, null)).resolves.toBe(link);
    await expect(readLink(ann, 2)).resolves.toBe(link);
  });
});

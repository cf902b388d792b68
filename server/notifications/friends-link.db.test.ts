import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { MailFrame } from '../../contract/mails.ts';
import { ownStatusPath } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { oneEngine } from '../../test/support/engines.ts';
import { provideLine } from '../../test/support/provide-line.ts';
import { removeMember } from '../line/change-member.ts';
import { getRecipients } from '../line/get-recipients.ts';
import { queueMails } from '../line/mails/store.ts';
import { mailKinds } from '../mail-kinds.ts';
import { composeMail } from './compose-mail.ts';
import { type MailQueue, openMailQueue } from './delivery/queue.ts';

const publicUrl = 'https://line.example.com';

describe.each(oneEngine)('the status link of a mail about friends on %s', (engine) => {
  const line = provideLine(engine);
  let mails: MailQueue;
  beforeEach(async () => {
    mails = await openMailQueue(line.database, {
      kinds: mailKinds,
      mailsPerSecond: 1000,
      onError: (error) => {
        throw error;
      },
    });
  });
  afterEach(() => mails.close());

  const read = async ({ id }: Member) => {
    const member = (await getRecipients(line.database, [id])).get(id);
    if (member === undefined) throw new Error('The member is not in line.');
    return member;
  };

  async function readLink(
    member: Member,
    newFriends: number | null,
    referralCredit: 'confirm' | 'settle' = 'confirm',
  ): Promise<string> {
    await line.sql('delete from mail_outbox');
    const { id: memberId } = member;
    await queueMails(line.database.kysely, [
      newFriends === null
        ? { kind: 'welcome', memberId }
        : { kind: 'friends', memberId, newFriends },
    ]);
    const [job] = await mails.take(1);
    if (job === undefined) throw new Error('No mail was taken.');
    let frame: MailFrame | null = null;
    const composed = composeMail(
      {
        kinds: mailKinds,
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
      { ...(await read(member)), isStopped: false, isOrderFixed: false, draw: null },
    );
    expect(composed).toMatchObject({ memberId: member.id });
    await mails.settle(job, { outcome: 'sent' });
    return (frame as MailFrame | null)?.statusLink ?? '';
  }

  test.each([0, 1, 4])('has the place of a member with %i earlier friends', async (earlier) => {
    await line.joinAll(6);
    const ann = await line.join();
    const others = await line.joinAll(8);
    await line.joinAll(earlier, ann.referral_code);
    const atFirst = await read(ann);
    const newFriends = await line.joinAll(3, ann.referral_code);
    const link = publicUrl + ownStatusPath(ann.id);
    await expect(readLink(ann, 3)).resolves.toBe(`${link}&was=${atFirst.position}.${earlier}`);

    // Others join and climb, also by friends of the new friends, before the mail leaves.
    for (const [count, referrer] of [
      [7, others[2]],
      [3, newFriends[0]],
      [1, newFriends[1]],
      [5, undefined],
    ] as const)
      await line.joinAll(count, referrer?.referral_code);
    const mailed = await readLink(ann, 3);
    for (const { id: memberId } of newFriends) await removeMember(line.database, { memberId });
    const { position, referralCount } = await read(ann);
    expect(referralCount).toBe(earlier);
    expect(mailed).toBe(`${link}&was=${position}.${earlier}`);
  });

  test('has it after the token that confirms, too', async () => {
    const ann = await line.join((await line.join()).referral_code);
    await line.joinAll(2);
    const { position } = await read(ann);
    await line.joinAll(1, ann.referral_code);
    await expect(readLink(ann, 1, 'settle')).resolves.toMatch(
      new RegExp(`/thank-you/${ann.id}#confirm=[\\w-]+&was=${position}\\.0$`),
    );
  });

  test('is bare in other mails, and once the friends have left', async () => {
    const ann = await line.join();
    await line.joinAll(1, ann.referral_code);
    const link = publicUrl + ownStatusPath(ann.id);
    await expect(readLink(ann, null)).resolves.toBe(link);
    await expect(readLink(ann, 2)).resolves.toBe(link);
  });
});

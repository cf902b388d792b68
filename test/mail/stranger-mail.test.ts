/** Mails to a stranger's mailbox, whatever others type: over SMTP, on a clock of the test. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../server/durations.ts';
import { confirmMember } from '../../server/line/change-member.ts';
import { postForm, SECRET_KEY, tokenOf } from '../http/mail-links.ts';
import { NOBODY } from '../http/provide-app.ts';
import { keepFinds } from '../support/keep-finds.ts';
import { moveClock } from '../support/moved-clock.ts';
import { headerOf } from '../support/smtp-mailbox.ts';
import { isAll, isLong } from '../support/test-form.ts';
import { provideMailApp } from './mail-app.ts';

const WEEK_MS = 7 * DAY_MS;
const MAILS_A_WEEK = 3;
const WORK = ['queueing notifications', 'queueing reminders to confirm'];
const HISTORIES = isLong ? 200 : isAll ? 30 : 6;

type Arrived = { readonly at: number; readonly subject: string };

/** Eight spellings of one mailbox, and as many tags as anybody likes. */
function spell(name: string, number: number): string {
  const dotted = [...name].join(number % 2 ? '.' : '');
  const tagged = number < 4 ? dotted : `${dotted}+${number}`;
  const domain = number % 3 ? 'gmail.com' : 'googlemail.com';
  return `${number % 4 < 2 ? tagged : tagged.toUpperCase()}@${domain}`;
}

// The clock of the embedded engine is that of this process.
describe('mail to strangers on the embedded engine', () => {
  const app = provideMailApp('embedded', {
    settings: { referralCredit: 'settle', secretKey: SECRET_KEY },
  });
  let movedMs = 0;
  let mailboxes = 0;
  let seen = 0;
  const arrived = new Map<string, Arrived[]>();

  afterAll(() => moveClock(0));

  const enter = (email: string, code: string | null = null) =>
    app.post(apiPaths.join, { email, referred_by: code }, NOBODY);

  function newName(): string {
    mailboxes += 1;
    return `victim${[...String(mailboxes)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
  }

  const nameIn = (address: string) =>
    address
      .toLowerCase()
      .replace(/[+@].*/, '')
      .replaceAll('.', '');

  async function sendAll(): Promise<void> {
    await app.untilQueueIsEmpty();
    for (const mail of app.box.mails.slice(seen)) {
      const name = nameIn(mail.to[0] ?? '');
      const one = { at: Date.now(), subject: headerOf(mail, 'subject') };
      arrived.set(name, [...(arrived.get(name) ?? []), one]);
    }
    seen = app.box.mails.length;
  }

  /** Mail that is due is sent before the clock moves, and what the hours bring after it. */
  async function pass(ms: number): Promise<void> {
    await sendAll();
    movedMs += ms;
    moveClock(movedMs);
    for (const work of app.scheduledWork) if (WORK.includes(work.name)) await work.run();
    await sendAll();
  }

  const mailsTo = (name: string) => arrived.get(name) ?? [];

  async function membersOf(name: string): Promise<string[]> {
    const rows = await app.sql<{ id: string; email: string }>('select id, email from member');
    return rows.filter(({ email }) => nameIn(email) === name).map(({ id }) => id);
  }

  type Path = (typeof mailPagePaths)['preferences' | 'leave'];
  const press = (path: Path, memberId: string, fields = {}) =>
    postForm(app, fillPath(path, tokenOf(memberId, 'preferences')), fields);
  const stop = (memberId: string) =>
    press(mailPagePaths.preferences, memberId, { mail: 'stopped' });

  /** The most mails that arrived within so long. */
  function mostWithin(ms: number, mails: readonly Arrived[]): number {
    const counts = mails.map(
      ({ at }) => mails.filter((other) => other.at >= at && other.at - at < ms).length,
    );
    return Math.max(0, ...counts);
  }

  test('325 spellings, friends, tiers and the top bring two mails in a week', async () => {
    const name = newName();
    const inviter = await app.join('inviter@rival.example');
    await confirmMember(app.database, { memberId: inviter.id });
    const first = await app.join(spell(name, 0), inviter.referral_code);
    for (let number = 1; number < 325; number += 1)
      expect((await enter(spell(name, number), inviter.referral_code)).status).toBe(201);
    for (let friend = 0; friend < 5; friend += 1)
      await enter(`friend${friend}@rival.example`, first.referral_code);
    for (let hour = 0; hour < 7 * 24; hour += 12) await pass(12 * HOUR_MS);
    expect(mailsTo(name)).toHaveLength(2);
    const [welcome, reminder] = mailsTo(name);
    expect(welcome?.subject).toContain('in line');
    expect(reminder?.subject).toContain('Confirm your place');

    // Whoever confirms is no stranger: news of a friend comes, to that spelling alone.
    await confirmMember(app.database, { memberId: first.id });
    await enter('friend5@rival.example', first.referral_code);
    await pass(DAY_MS);
    expect(mailsTo(name).length).toBeGreaterThan(2);
    expect(app.box.mails.at(-1)?.to[0]?.toLowerCase()).toBe(spell(name, 0).toLowerCase());
  });

  test('stop stops the mailbox, also for its owner under another spelling', async () => {
    const name = newName();
    const own = await app.join(spell(name, 0));
    const other = await app.join(spell(name, 6));
    for (const { id } of [own, other]) await confirmMember(app.database, { memberId: id });
    await pass(0);
    const before = mailsTo(name).length;
    expect((await stop(other.id)).statusCode).toBe(303);
    for (let day = 0; day < 8; day += 1) {
      await pass(DAY_MS);
      for (const number of [0, 6, 7 + day]) await enter(spell(name, number));
      await enter(`fan${day}@stopped.example`, own.referral_code);
    }
    await pass(DAY_MS);
    expect(mailsTo(name)).toHaveLength(before);
    await press(mailPagePaths.preferences, other.id, { mail: 'sending' });
    await enter('late.fan@stopped.example', own.referral_code);
    await pass(DAY_MS);
    expect(mailsTo(name).length).toBeGreaterThan(before);
  });

  test('a code mails a hundred friends a day, and four more for each who confirms', async () => {
    const { referral_code: code } = await app.join('popular@rival.example');
    const friends: string[] = [];
    for (let friend = 0; friend < 150; friend += 1)
      friends.push((await app.join(`guest${friend}@guests.example`, code)).id);
    await app.join('other.code@guests.example');
    const mailed = () =>
      app.box.mails.filter(({ to }) => /^guest\d/.test(to[0] ?? '')).map(({ to }) => to[0]);
    await expect.poll(mailed, { timeout: 60_000 }).toHaveLength(100);
    const other = () => app.box.mails.some(({ to }) => to[0] === 'other.code@guests.example');
    await expect.poll(other).toBe(true);
    const { payload } = await app.get('/metrics');
    expect(payload).toMatch(/^waitlist_mails_waiting 50$/m);
    expect(payload).toMatch(/^waitlist_oldest_mail_seconds 0$/m);
    for (const memberId of friends.slice(0, 5)) await confirmMember(app.database, { memberId });
    movedMs += 20 * MINUTE_MS;
    moveClock(movedMs);
    await expect.poll(mailed, { timeout: 60_000 }).toHaveLength(125);
    movedMs += DAY_MS;
    moveClock(movedMs);
    await expect.poll(mailed, { timeout: 60_000 }).toHaveLength(150);
    expect(new Set(mailed()).size).toBe(150);
    await sendAll();
  });

  type Step =
    | { readonly act: 'enter'; readonly spelling: number; readonly isInvited: boolean }
    | { readonly act: 'befriend' | 'stop' | 'leave'; readonly member: number }
    | { readonly act: 'pass'; readonly hours: number };

  const spelling = fc.nat({ max: 15 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        act: fc.constant('enter' as const),
        spelling,
        isInvited: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        act: fc.constantFrom('befriend' as const, 'leave' as const, 'stop' as const),
        member: fc.nat({ max: 15 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        act: fc.constant('pass' as const),
        hours: fc.constantFrom(1, 5, 23, 25, 49),
      }),
    },
  );

  /** Mails that may still come: all until the mailbox stops them, then one each time it leaves. */
  async function play(steps: readonly Step[], name: string): Promise<void> {
    let stoppedAt: number | null = null;
    let allowed = 0;
    const inviter = await app.join(`inviter.of.${mailboxes}@inviter.example`);
    for (const [number, one] of steps.entries()) {
      const members = await membersOf(name);
      const { referral_code: code } = inviter;
      if (one.act === 'enter') await enter(spell(name, one.spelling), one.isInvited ? code : null);
      else if (one.act === 'pass') await pass(one.hours * HOUR_MS);
      else {
        await sendAll();
        const memberId = members[one.member % Math.max(1, members.length)];
        if (memberId === undefined) continue;
        const { referral_code: own } = await app.statusOf(memberId);
        if (one.act === 'befriend') await enter(`${name}${number}@friend.example`, own);
        else if (one.act === 'leave') {
          await press(mailPagePaths.leave, memberId);
          allowed += 1;
        } else if (stoppedAt === null) {
          await stop(memberId);
          stoppedAt = mailsTo(name).length;
          allowed = 0;
        }
      }
      await sendAll();
      const mails = mailsTo(name);
      expect(mostWithin(WEEK_MS, mails)).toBeLessThanOrEqual(MAILS_A_WEEK);
      const links = mails.filter(({ subject }) => /status link/.test(subject));
      expect(mostWithin(DAY_MS, links)).toBeLessThanOrEqual(1);
      for (const { subject } of mails)
        expect(subject).toMatch(/in line$|status link$|^Confirm (your place|by)/);
      if (stoppedAt !== null) expect(mails.length - stoppedAt).toBeLessThanOrEqual(allowed);
    }
    await pass(DAY_MS);
  }

  test('no history of a hostile person mails a mailbox more than that', {
    timeout: 3_600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 8, maxLength: isLong ? 60 : 30 }),
        async (steps) => play(steps, newName()),
      ),
      keepFinds({ numRuns: HISTORIES, endOnFailure: !isLong }),
    );
  });
});

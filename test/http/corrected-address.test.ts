/** What becomes of the address before, once an operator has corrected it. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { MemberPage } from '../../contract/operator/member-list.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { deleteExpiredUndo } from '../../server/members/changes/removal-change.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { open, pageOf, postForm, readKeptMail, settleMail } from './mail-links.ts';
import { askWith, asToken } from './operator-sessions.ts';
import { openTestApp, type TestApp } from './test-app.ts';

describe.each(oneEngine)('a corrected address on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine, { referralCredit: 'confirm' });
  });
  afterAll(() => app.remove());

  const ask: ReturnType<typeof askWith> = (...call) => askWith(app, asToken)(...call);
  async function change(kind: string, input: object): Promise<number> {
    const made = await ask('POST', operatorPaths.changes, { kind, input, reason: 'a typo' });
    expect([made.statusCode, made.payload]).toEqual([201, expect.any(String)]);
    return made.json().change;
  }
  const undo = (number: number) =>
    ask('POST', fillPath(operatorPaths.undoChange, String(number)), { reason: 'a mistake' });
  const correct = (id: string, email: string) =>
    change('correct-address', { member_id: id, email });
  /** The tokens of the links in the only mail that says this. */
  function tokensIn(memberId: string, words: string) {
    const mails = readKeptMail(app, memberId).filter((mail) => mail.includes(words));
    expect(mails).toHaveLength(1);
    const tokenIn = (kind: string) =>
      new RegExp(`/${kind}/([\\w-]+)`).exec(mails[0] ?? '')?.[1] ?? `no ${kind}`;
    return { confirm: tokenIn('confirm'), preferences: tokenIn('preferences') };
  }
  /** Statuses of every use of the links in a mail. */
  async function statusesOf({ confirm, preferences }: { confirm: string; preferences: string }) {
    const answers = [
      await open(app, fillPath(mailPagePaths.confirm, confirm)),
      await postForm(app, fillPath(mailPagePaths.confirm, confirm)),
      await open(app, fillPath(mailPagePaths.preferences, preferences)),
      await postForm(app, fillPath(mailPagePaths.preferences, preferences), { mail: 'stopped' }),
      await postForm(app, fillPath(mailPagePaths.preferences, preferences), { mail: 'sending' }),
      await postForm(app, fillPath(mailPagePaths.downloadData, preferences)),
      await open(app, fillPath(mailPagePaths.leave, preferences)),
    ];
    return answers.map((answer) => [answer.statusCode, pageOf(answer)].join(' ').trim());
  }
  const UNKNOWN = Array(7).fill('404 link-unknown');
  const OPEN = ['200 confirm', '200 confirmed', '200 preferences-sending', '303', '303', '200'];

  const step = tellStory('goes through one step after the other');

  step('leaves links that were mailed before without any use, until it is undone', async () => {
    const { id } = await app.join('wrong@example.com');
    await settleMail(app);
    const old = tokensIn(id, 'wrong@example.com');
    const number = await correct(id, 'right@example.com');

    expect(await statusesOf(old)).toEqual(UNKNOWN);
    expect((await postForm(app, fillPath(mailPagePaths.leave, old.preferences))).statusCode).toBe(
      404,
    );
    // A mail program of the old mailbox is told what is true, and stops nobody's mail.
    const oneClick = await postForm(app, fillPath(mailPagePaths.unsubscribe, old.preferences));
    expect([oneClick.statusCode, oneClick.payload]).toEqual([
      200,
      'No more mail is sent to this address.\n',
    ]);
    const { members } = (
      await ask('POST', operatorPaths.findMembers, { text: 'right@example.com' })
    ).json();
    expect(members).toMatchObject([{ id, confirmed_at: null, mail: { state: 'sending' } }]);

    await change('resend-link', { member_id: id });
    await settleMail(app);
    const fresh = tokensIn(id, 'right@example.com');
    expect((await undo(number)).statusCode).toBe(201);
    expect(await statusesOf(fresh)).toEqual(UNKNOWN);
    expect(await statusesOf(old)).toEqual([...OPEN, '200 leave']);
  });

  step('has links of its own, which do all', async () => {
    const { id } = await app.join('typo@example.com');
    await settleMail(app);
    await correct(id, 'mended-typo@example.com');
    await change('resend-link', { member_id: id });
    await settleMail(app);
    const { preferences } = tokensIn(id, 'mended-typo@example.com');
    expect((await postForm(app, fillPath(mailPagePaths.leave, preferences))).statusCode).toBe(200);
    expect((await app.fastify.inject(fillPath(apiPaths.status, id))).statusCode).toBe(404);
  });

  step('of the same mailbox in another spelling keeps its links', async () => {
    const { id } = await app.join('spelled@example.com');
    await settleMail(app);
    const old = tokensIn(id, 'spelled@example.com');
    await correct(id, 'Spelled@Example.com');
    expect(await statusesOf(old)).toEqual([...OPEN, '200 leave']);
  });

  step('is found by a part of it at once, and so is a member who came back', async () => {
    const { id } = await app.join('before-part@example.com');
    await app.join('after-part@example.com');
    const other = await app.openAnother();
    async function find(text: string, server: Pick<TestApp, 'fastify'> = app): Promise<string[]> {
      for (;;) {
        const payload = { filter: { text }, sort: 'joined', limit: 100 };
        const answer = await askWith(server, asToken)('POST', operatorPaths.listMembers, payload);
        const { members, is_partial } = answer.json() as MemberPage;
        if (!is_partial) return members.map(({ email }) => email);
      }
    }
    for (const server of [app, other])
      expect(await find('fore-part', server)).toEqual(['before-part@example.com']);
    const corrected = await correct(id, 'mended@example.com');
    for (const server of [app, other]) {
      expect(await find('fore-part', server)).toEqual([]);
      expect(await find('ended@exam', server)).toEqual(['mended@example.com']);
    }
    await undo(corrected);
    for (const server of [app, other]) {
      expect(await find('ended@exam', server)).toEqual([]);
      expect(await find('fore-part', server)).toEqual(['before-part@example.com']);
    }
    const removed = await change('remove-members', { member_ids: [id] });
    for (const server of [app, other]) expect(await find('fore-part', server)).toEqual([]);
    // Read while the member was away, as after an hour without a search.
    const late = await app.openAnother();
    expect(await find('fore-part', late)).toEqual([]);
    await undo(removed);
    for (const server of [app, other, late])
      expect(await find('fore-part', server)).toEqual(['before-part@example.com']);
    await other.close();
    await late.close();
  });

  step('is in no draft of a campaign any more, nor is that of an erased member', async () => {
    const texts = async () => {
      const { campaigns } = (await ask('GET', operatorPaths.campaigns)).json();
      return campaigns.map(
        ({ filter, revision }: { filter: { text?: string }; revision: number }) =>
          `${filter.text} ${revision}`,
      );
    };
    for (const text of [
      'old@Draft.example',
      ' old@draft',
      'new@draft.example',
      'kept@draft',
      'ld@d',
    ])
      await ask('POST', operatorPaths.campaigns, {
        subject: 'News',
        body: 'Hello',
        filter: { text },
      });
    const { id } = await app.join('old@draft.example');
    await correct(id, 'new@draft.example');
    expect(await texts()).toEqual(['… 2', 'kept@draft 1', 'new@draft.example 1', '… 2', '… 2']);
    await change('erase-member', { member: id });
    expect(await texts()).toEqual(['… 2', 'kept@draft 1', '… 2', '… 2', '… 2']);
    const isLog = (table: string) => table === 'public.audit_entry';
    const { text } = await dumpDatabase(app.database, (table) => !isLog(table));
    for (const trace of [id, 'old@draft', 'new@draft']) expect(text).not.toContain(trace);
  });

  step('is blotted out of what operators wrote once the member is erased', async () => {
    const { id } = await app.join('anna@blot.example');
    const other = await app.join('other@blot.example');
    await change('allocate-masks', {
      size: 'Small',
      quantity: 1,
      note: 'Anna, Anna@Blot.example; not joanna@blot.example',
    });
    const campaign = {
      subject: 'anna@blot.example',
      body: 'Not anna@blot.example.org, but anna@blot.example.',
      filter: {},
    };
    await ask('POST', operatorPaths.campaigns, campaign);
    const body = 'Knows <anna@blot.example>';
    await ask('POST', fillPath(operatorPaths.notes, other.id), { body });
    await change('erase-member', { member: id });
    const { rows } = await app.database.runSql(`
      select allocation.note, campaign.subject, campaign.body, member_note.body as other
      from allocation, campaign, member_note
      where allocation.note like 'Anna%' and campaign.body like 'Not%'`);
    expect(rows).toEqual([
      {
        note: 'Anna, …; not joanna@blot.example',
        subject: '…',
        body: 'Not anna@blot.example.org, but ….',
        other: 'Knows <…>',
      },
    ]);
  });

  step('a removed member is forgotten by drafts once it is too late for an undo', async () => {
    const filter = { text: 'removed@draft.example' };
    await ask('POST', operatorPaths.campaigns, { subject: 'News', body: 'Hello', filter });
    const { id } = await app.join(filter.text);
    await change('remove-members', { member_ids: [id] });
    await app.database.runSql("update removed_member set until = now() - interval '1 second'");
    const newest = async () => (await ask('GET', operatorPaths.campaigns)).json().campaigns[0];
    expect((await newest()).filter).toEqual({ confirmed: true, ...filter });
    await deleteExpiredUndo(app.database);
    expect((await newest()).filter).toEqual({ confirmed: true, text: '…' });
  });
});

/** What becomes of the address before, once an operator has corrected it. */
import { describe, expect } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { deleteExpiredUndo } from '../../server/members/changes/removal-change.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { open, pageOf, postForm, readKeptMail, settleMail } from './mail-links.ts';
import { provideApp } from './provide-app.ts';

const { confirm, preferences, downloadData, leave, unsubscribe } = mailPagePaths;
type Links = Readonly<Record<'confirm' | 'preferences', string>>;

describe.each(oneEngine)('a corrected address on %s', (engine) => {
  const app = provideApp(engine, { referralCredit: 'confirm' });
  const { post, read, undo, sql } = app;
  async function change(kind: string, input: object): Promise<number> {
    const made = await app.change(kind, input);
    expect(made).toMatchObject({ status: 201 });
    return made.change;
  }
  const correct = (id: string, email: string) =>
    change('correct-address', { member_id: id, email });
  const draft = (about: object) =>
    post(operatorPaths.campaigns, { subject: 'News', body: 'Hello', ...about });
  /** The tokens of the links in the only mail that says this. */
  function tokensIn(memberId: string, words: string): Links {
    const mails = readKeptMail(app, memberId).filter((mail) => mail.includes(words));
    expect(mails).toHaveLength(1);
    const tokenIn = (kind: string) =>
      new RegExp(`/${kind}/([\\w-]+)`).exec(mails[0] ?? '')?.[1] ?? `no ${kind}`;
    return { confirm: tokenIn('confirm'), preferences: tokenIn('preferences') };
  }
  async function joinMailed(email: string): Promise<{ id: string; links: Links }> {
    const { id } = await app.join(email);
    await settleMail(app);
    return { id, links: tokensIn(id, email) };
  }
  /** Statuses of every use of the links in a mail. */
  async function statusesOf(links: Links) {
    const own = fillPath(preferences, links.preferences);
    const answers = [
      await open(app, fillPath(confirm, links.confirm)),
      await postForm(app, fillPath(confirm, links.confirm)),
      await open(app, own),
      await postForm(app, own, { mail: 'stopped' }),
      await postForm(app, own, { mail: 'sending' }),
      await postForm(app, fillPath(downloadData, links.preferences)),
      await open(app, fillPath(leave, links.preferences)),
    ];
    return answers.map((answer) => [answer.statusCode, pageOf(answer)].join(' ').trim());
  }
  const UNKNOWN = Array(7).fill('404 link-unknown');
  const OPEN = ['200 confirm', '200 confirmed', '200 preferences-sending', '303', '303', '200'];

  const step = tellStory('goes through one step after the other');

  step('leaves links that were mailed before without any use, until it is undone', async () => {
    const { id, links: old } = await joinMailed('wrong@example.com');
    const number = await correct(id, 'right@example.com');
    expect(await statusesOf(old)).toEqual(UNKNOWN);
    expect((await postForm(app, fillPath(leave, old.preferences))).statusCode).toBe(404);
    // A mail program of the old mailbox is told what is true, and stops nobody's mail.
    const { statusCode, payload } = await postForm(app, fillPath(unsubscribe, old.preferences));
    expect([statusCode, payload]).toEqual([200, 'No more mail is sent to this address.\n']);
    const { members } = await post(operatorPaths.findMembers, { text: 'right@example.com' });
    expect(members).toMatchObject([{ id, confirmed_at: null, mail: { state: 'sending' } }]);

    await change('resend-link', { member_id: id });
    await settleMail(app);
    const fresh = tokensIn(id, 'right@example.com');
    expect(await undo(number)).toMatchObject({ status: 201 });
    expect(await statusesOf(fresh)).toEqual(UNKNOWN);
    expect(await statusesOf(old)).toEqual([...OPEN, '200 leave']);
  });

  step('has links of its own, which do all', async () => {
    const { id } = await joinMailed('typo@example.com');
    await correct(id, 'mended-typo@example.com');
    await change('resend-link', { member_id: id });
    await settleMail(app);
    const { preferences: token } = tokensIn(id, 'mended-typo@example.com');
    expect((await postForm(app, fillPath(leave, token))).statusCode).toBe(200);
    expect((await app.get(fillPath(apiPaths.status, id))).statusCode).toBe(404);
  });

  step('of the same mailbox in another spelling keeps its links', async () => {
    const { id, links } = await joinMailed('spelled@example.com');
    await correct(id, 'Spelled@Example.com');
    expect(await statusesOf(links)).toEqual([...OPEN, '200 leave']);
  });

  step('is found by a part of it at once, and so is a member who came back', async () => {
    const { id } = await app.join('before-part@example.com');
    const find = async (text: string): Promise<string[]> => {
      const { members } = await post(operatorPaths.listMembers, { filter: { text } });
      return members.map(({ email }: { email: string }) => email);
    };
    const expectFound = async (before: boolean, after: boolean) => {
      expect(await find('fore-part')).toEqual(before ? ['before-part@example.com'] : []);
      expect(await find('ended@exam')).toEqual(after ? ['mended@example.com'] : []);
    };
    const corrected = await correct(id, 'mended@example.com');
    await expectFound(false, true);
    await undo(corrected);
    await expectFound(true, false);
    const removed = await change('remove-members', { member_ids: [id] });
    await expectFound(false, false);
    await undo(removed);
    await expectFound(true, false);
  });

  step('is in no draft of a campaign any more, nor is that of an erased member', async () => {
    const texts = async () =>
      (await read(operatorPaths.campaigns)).campaigns.map(
        ({ filter, revision }: { filter: { text?: string }; revision: number }) =>
          `${filter.text} ${revision}`,
      );
    const typed = ['old@Draft.example', ' old@draft', 'new@draft.example', 'kept@draft', 'ld@d'];
    for (const text of typed) await draft({ filter: { text } });
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
    await draft({
      subject: 'anna@blot.example',
      body: 'Not anna@blot.example.org, but anna@blot.example.',
      filter: {},
    });
    const body = 'Knows <anna@blot.example>';
    await post(fillPath(operatorPaths.notes, other.id), { body });
    await change('erase-member', { member: id });
    const rows = await sql(`
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
    await draft({ filter });
    const { id } = await app.join(filter.text);
    await change('remove-members', { member_ids: [id] });
    await sql("update removed_member set until = now() - interval '1 second'");
    const newest = async () => (await read(operatorPaths.campaigns)).campaigns[0];
    expect((await newest()).filter).toEqual({ confirmed: true, ...filter });
    await deleteExpiredUndo(app.database);
    expect((await newest()).filter).toEqual({ confirmed: true, text: '…' });
  });
});

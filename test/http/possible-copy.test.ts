/** A line that may be a copy acts on nothing, loses nothing, and goes on by one change. */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect } from 'vitest';
import type { LookedAtOffer } from '../../contract/drop/offer-views.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { readKeptMail } from './mail-links.ts';
import { SHOPS } from './till-shops.ts';
import { provideWebhookApp } from './webhooks/webhook-app.ts';

/** Mails and events are looked for once a second. */
const LOOKS_MS = 2_500;

describe.each(oneEngine)('a possible copy on %s', (engine) => {
  const app = provideWebhookApp(engine);
  const { post, read, change, refuses, run, sql } = app;
  const ids: string[] = [];
  const [stripe] = SHOPS;
  const shop = stripe?.fake as NonNullable<typeof stripe>['fake'];
  const setTill = () => change('set-till', { stripe: stripe?.settings, ...stripe?.keys });

  beforeAll(async () => {
    ids.push(...(await app.joinGhosts(4)));
    globalThis.fetch = shop.fetch;
    await setTill();
    await app.offerMasks(3, { minutes: 600, pay_hours: 6 }, 4);
    await app.mailsTo();
    await act(apiPaths.acceptOffer, 0);
    await run('selling masks');
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await change('schedule-step', { at, time_zone: 'UTC', step: { 'close-drop': {} } });
    await app.add(['member.joined']);
    await app.mailsTo();
  });

  const look = async (index: number): Promise<LookedAtOffer['offer']> =>
    (await read(fillPath(apiPaths.offerOf, ids[index] ?? ''))).offer;
  const act = async (path: string, index: number) => {
    const links = readKeptMail(app, ids[index]).flatMap((mail) =>
      Array.from(mail.matchAll(/#offer=3D([\w-]+)/g), ([, token]) => token),
    );
    return await post(path, { token: links.at(-1) });
  };
  /** All that has left so far. */
  const count = () => ({
    calls: shop.calls,
    mails: readKeptMail(app).length,
    events: app.receiver.events.length,
  });
  const takeAllWork = async () => {
    for (const work of app.scheduledWork) await work.run();
  };

  const step = tellStory('waits for an owner, whatever is due');

  step('says so, and sends, sells, offers and announces nothing', async () => {
    const acting = app.scheduledWork.filter(({ acts }) => acts).map(({ name }) => name);
    expect(acting.toSorted()).toEqual([
      'mailing the digest',
      'making offers',
      'selling masks',
      'taking scheduled steps',
    ]);
    const before = count();
    await sql(`select mark_copy('restored', clock_timestamp() - interval '2 hours')`);
    // Due since the backup: an offer, a pass to be paid, a comparison of sales, a step.
    await sql(`
      update offer set expires_at = clock_timestamp() - interval '1 hour',
        mailed_at = mailed_at - interval '1 day' where state = 'open';
      update checkout set pay_by = clock_timestamp() - interval '1 hour', next_at = now();
      update till_account set compare_at = '-infinity';
      update scheduled_step set due_at = clock_timestamp() - interval '1 hour';
      update offer set settled_at = settled_at - interval '1 day' where state = 'accepted'`);
    expect(await act(apiPaths.declineOffer, 2)).toMatchObject({ status: 200 });
    expect(await app.join('late@example.com')).toMatchObject({ position: 5 });
    await takeAllWork();
    await delay(LOOKS_MS);
    await takeAllWork();
    expect(count()).toEqual(before);
    expect(await look(1)).toMatchObject({ state: 'open' });
    expect(await look(3)).toBeNull();
    expect(await look(0)).toMatchObject({ state: 'accepted', checkout: { state: 'created' } });
    const words = expect.stringMatching(
      /^This line was restored from a backup, so it may be a cop/,
    );
    expect(await read('/readyz')).toEqual({ status: 'ok', detail: words });
    expect(await read(operatorPaths.me)).toMatchObject({ may_be_copy: words });
    expect(await read(apiPaths.drop)).toMatchObject({ state: 'offering' });
    const refusal = 'This line may be a copy: an owner says first that it is the line.';
    await refuses('resume-offers', {}, refusal);
  });

  step('shows what will leave, and goes on when an owner says that it is the line', async () => {
    const before = count();
    // A restore leaves the line so.
    await sql(`update till_account set keys = null`);
    // What another account took stays there, where it can be disputed for months.
    await sql(`
      with account as (insert into till_account (kind, left_at) values ('shopify', now())
        returning id)
      insert into till_payment (id, reference, account_id, cents, currency, state)
      select 'x', '#1', id, 9900, 'eur', 'kept' from account`);
    const { sentences, counts } = await app.preview('this-is-the-line');
    expect(counts).toEqual({
      mails: 1,
      deliveries: 0,
      offers: 1,
      checkouts: 1,
      refunds: 0,
      tills_without_keys: 2,
    });
    expect(sentences).toEqual([
      expect.stringContaining('Stop every other server of this line before'),
      '1 mail leaves.',
      '1 open offer gets back the time since the pause.',
      '1 checkout is made, compared or ended at the till.',
      '2 tills have no keys.',
      expect.stringMatching(/^Stripe acct_\w+ has no keys: .*, no mask is sold\.$/),
      'Shopify has no keys: until you enter them again, no refund or dispute there is seen.',
      expect.stringMatching(/^The drop ends, which was due on /),
    ]);
    await takeAllWork();
    expect(count()).toEqual(before);
    expect(await change('this-is-the-line')).toMatchObject({ status: 201 });
    expect(await change('this-is-the-line')).toMatchObject({ status: 409 });
    const [entry] = (await read(operatorPaths.changes)).entries;
    expect(entry).toMatchObject({ action: 'this-is-the-line', reason: 'a test' });
    expect(await read('/readyz')).toEqual({ status: 'ok' });
    const { checkout } = (await look(0)) ?? {};
    expect(Date.parse(checkout?.pay_by ?? '')).toBeGreaterThan(Date.now());

    await run('making offers');
    await run('making offers');
    await app.mailsTo();
    expect(await look(3)).toMatchObject({ state: 'open' });
    const { state, expires_at: end } = (await look(1)) ?? {};
    expect(state).toBe('open');
    // An hour was left at the backup.
    expect((Date.parse(end ?? '') - Date.now()) / 3_600_000).toBeCloseTo(1, 1);
    await run('selling masks');
    expect(await read(operatorPaths.till)).toMatchObject({
      failure: 'The keys of the till cannot be read: enter them again.',
    });
    const chosenAt = () => sql('select id, chosen_at from till_account');
    const chosen = await chosenAt();
    await setTill();
    expect(await chosenAt()).toEqual(chosen);
    await sql(`update checkout set next_at = '-infinity'`);
    await run('selling masks');
    expect(await look(0)).toMatchObject({ state: 'accepted', checkout: { state: 'created' } });
    await app.receiver.waitFor(before.events + 1);
    expect(count().calls).toBeGreaterThan(before.calls);
    expect(readKeptMail(app, ids[3]).join()).toContain('#offer=3D');
    await run('taking scheduled steps');
    expect(await read(apiPaths.drop)).toMatchObject({ state: 'closed' });
  });

  step('stops again when that is undone', async () => {
    await app.mailsTo();
    await app.mailsTo();
    const { entries } = await read(operatorPaths.changes);
    const made = entries.find(({ action }: { action: string }) => action === 'this-is-the-line');
    const undone = await app.undo(made.number);
    expect(undone.summary).toBe('This line may be a copy: nothing leaves it any more.');
    const before = count();
    await sql(`update till_account set compare_at = '-infinity'`);
    await takeAllWork();
    expect(count()).toEqual(before);
    expect(await read(operatorPaths.me)).toMatchObject({ may_be_copy: expect.any(String) });
  });
});

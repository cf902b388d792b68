/** Offers while the mail server is down, the clock leaps, operators steer, or mail is stopped. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { open, pageOf, placesOf, postForm } from '../http/mail-links.ts';
import { passHours } from '../line/offer-steps.ts';
import { moveClock } from '../support/moved-clock.ts';
import { tellStory } from '../support/tell-story.ts';
import { provideMailApp } from './mail-app.ts';

const HOUR_MS = 3_600_000;
const SERVICE_NOT_AVAILABLE = 421;
const NAMES = ['ada', 'bob', 'cleo', 'dan'];

// Its clock is that of this process, which a step moves.
describe('offers on the embedded engine', () => {
  let isDown = false;
  const app = provideMailApp('embedded', {
    react: (moment) =>
      isDown && ['connect', 'sender'].includes(moment) ? SERVICE_NOT_AVAILABLE : undefined,
  });
  const { post, read, change, preview, undo } = app;
  const ids: string[] = [];

  beforeAll(async () => {
    for (const name of NAMES) ids.push((await app.join(`${name}@example.com`)).id);
    await app.untilQueueIsEmpty();
  });
  afterAll(() => moveClock(0));

  const give = async (size: string, masks: number) => {
    await change('set-stock', { size, stock: masks });
    await change('amend-draw', { size, masks, public_reason: 'One more was found.' });
  };
  const sweep = () => app.run('making offers');
  const facts = () => read(operatorPaths.drop);
  const look = async (index: number) =>
    (await read(fillPath(apiPaths.offerOf, ids[index] ?? ''))).offer;
  const states = () => Promise.all(NAMES.map(async (_name, index) => (await look(index))?.state));
  const tokenOf = (index: number) => {
    const mails = app.box.mails.filter(({ to }) => to[0] === `${NAMES[index]}@example.com`);
    return mails.flatMap(({ raw }) => /#offer=3D([\w-]+)/.exec(raw)?.[1] ?? []).at(-1) ?? '';
  };
  const endsIn = async (index: number) =>
    (Date.parse((await look(index)).expires_at) - Date.now()) / HOUR_MS;

  const step = tellStory('goes through one step after the other');

  step('name the chosen who cannot be mailed, and draw the day, before they start', async () => {
    await app.database.kysely
      .insertInto('mail_suppression')
      .values([
        { address_hash: 'a', reason: 'bounced', member_id: ids[1] ?? '' },
        { address_hash: 'b', reason: 'stopped', member_id: ids[0] ?? '' },
      ])
      .execute();
    await app.setStock({ Small: 2, Medium: 0, Large: 0 });
    const terms = {
      minutes: 720,
      time_zone: 'UTC',
      quiet_from: '22:00',
      quiet_until: '08:00',
    };
    const at = new Date(Date.now() + 48 * HOUR_MS).toISOString();
    const step = { at, time_zone: 'UTC', step: { 'start-offers': terms } };
    const later = await preview('schedule-step', step);
    const day = { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' } as const;
    // Quiet hours may put the first wave off until the next morning.
    const begins = [48, 58].map((hours) =>
      new Intl.DateTimeFormat('en-GB', day).format(Date.now() + hours * HOUR_MS),
    );
    const [, first] =
      /^(\w+ \d+ \w+), .* masks are offered/m.exec(later.sentences.join('\n')) ?? [];
    expect(begins).toContain(first);
    await app.chooseByRank(2, 4);
    const { sentences } = await preview('start-offers', terms);
    expect(sentences.join('\n')).toMatch(/reaches them until .*: bob@example.com\.$/m);
    expect(sentences.join('\n')).not.toContain('ada@example.com');
    expect(sentences.join('\n')).toContain('2 masks are offered, until ');
    await app.database.kysely.deleteFrom('mail_suppression').execute();
    expect(await change('start-offers', { minutes: 720, time_zone: 'UTC' })).toMatchObject({
      status: 201,
    });
  });

  step('do not end while the mail server is down, and no more are made', async () => {
    isDown = true;
    await sweep();
    await expect.poll(async () => (await facts()).waits_for, { timeout: 20_000 }).toBe('mail');
    expect(await facts()).toMatchObject({ unmailed: 2 });
    await passHours(app.database, 24);
    await give('Small', 3);
    await sweep();
    expect(await states()).toEqual(['open', 'open', undefined, undefined]);
    expect(await endsIn(0)).toBeGreaterThan(11);

    isDown = false;
    await expect.poll(async () => (await facts()).unmailed, { timeout: 20_000 }).toBe(0);
    expect(await endsIn(0)).toBeGreaterThan(12);
    await expect.poll(async () => (await facts()).waits_for).toBeNull();
    await sweep();
    expect((await states())[2]).toBe('open');
    await app.untilQueueIsEmpty();
  });

  step('stand still while an operator has paused offering', async () => {
    const paused = await change('pause-offers');
    expect(await change('pause-offers')).toMatchObject({ status: 409 });
    expect(await facts()).toMatchObject({ waits_for: 'operator' });
    await passHours(app.database, 24);
    await give('Small', 4);
    await sweep();
    expect(await states()).toEqual(['open', 'open', 'open', undefined]);
    expect(await endsIn(1)).toBeGreaterThan(11);
    expect(await post(apiPaths.declineOffer, { token: tokenOf(2) })).toMatchObject({ status: 200 });
    expect(await undo(paused.change)).toMatchObject({ status: 201 });
    expect(await change('resume-offers')).toMatchObject({ status: 409 });
    expect(await endsIn(1)).toBeGreaterThan(11);
    expect((await states())[1]).toBe('open');
  });

  step('are extended, one or all, and offered by hand', async () => {
    const { offers } = await post(operatorPaths.listOffers, { text: ids[0] });
    const one = await change('extend-offers', { minutes: 60, offer_id: offers[0].id });
    expect(one).toMatchObject({ summary: '1 offer was extended.' });
    expect(await endsIn(0)).toBeGreaterThan(12.5);
    expect(await undo(one.change)).toMatchObject({ summary: '1 offer ends as before.' });
    expect(await endsIn(0)).toBeLessThan(12.1);
    expect(await change('extend-offers', { minutes: 600 })).toMatchObject({
      summary: '2 offers were extended.',
    });
    expect(await endsIn(1)).toBeGreaterThan(21);

    const byHand = { member_id: ids[2] };
    expect((await preview('offer-mask', byHand)).sentences).toEqual([
      'cleo@example.com is offered a mask of size Small, number 3 in the draw order.',
      'Nobody before them waits for an offer.',
      'The mail leaves at once, also in quiet hours: this cannot be undone.',
    ]);
    expect(await change('offer-mask', byHand)).toMatchObject({ status: 201, undo_until: null });
    expect(await change('offer-mask', byHand)).toMatchObject({ status: 409 });
    expect((await states())[2]).toBe('open');
    await app.untilQueueIsEmpty();
  });

  step('are not ended by a clock that leaps: offering pauses and asks', async () => {
    await sweep();
    const left = await endsIn(1);
    moveClock(240 * HOUR_MS);
    expect((await states())[1]).toBe('open');
    await sweep();
    await sweep();
    expect(await facts()).toMatchObject({ waits_for: 'clock' });
    expect((await states())[1]).toBe('open');
    const { entries } = await read(operatorPaths.changes);
    expect(
      entries.filter(({ actor }: { actor: { name: string } }) => actor.name === 'offers'),
    ).toEqual([
      expect.objectContaining({ action: 'pause-offers', reason: expect.stringContaining('leapt') }),
    ]);
    moveClock(0);
    await sweep();
    expect(await change('resume-offers')).toMatchObject({ status: 201 });
    await sweep();
    expect(await states()).toEqual(['open', 'open', 'open', 'open']);
    expect(Math.abs((await endsIn(1)) - left)).toBeLessThan(0.1);
  });

  step('are mailed to a member who stopped mail, and a fresh link on demand', async () => {
    const raw = app.box.mails.find(({ to }) => to[0] === 'dan@example.com')?.raw ?? '';
    const preferences = /https:\/\/line\.example\.com(\/preferences\/[\w-]+)/.exec(
      raw.replaceAll('=\r\n', ''),
    )?.[1];
    await app.fastify.inject({
      method: 'POST',
      url: `${preferences}/unsubscribe`,
      payload: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    await app.untilQueueIsEmpty();
    const before = app.box.mails.length;
    const link = fillPath(apiPaths.offerLink, ids[3] ?? '');
    expect(await post(link)).toMatchObject({ status: 202 });
    expect(await post(link)).toMatchObject({ status: 429 });
    expect(await post(fillPath(apiPaths.offerLink, 'nobody'))).toMatchObject({ status: 404 });
    await app.box.waitFor(before + 1);
    expect(app.box.mails.at(-1)?.to).toEqual(['dan@example.com']);
    expect(await post(apiPaths.acceptOffer, { token: tokenOf(3) })).toMatchObject({
      status: 200,
      offer: { state: 'accepted' },
    });
    await app.box.waitFor(before + 2);
    expect(app.box.mails.at(-1)?.raw).toContain('Subject: Your pass');
  });

  step('are answered without script, by forms behind the link of the mail', async () => {
    const pageFor = (index: number) => fillPath(mailPagePaths.offer, tokenOf(index));
    const mails = app.box.mails.map(({ raw }) => raw.replaceAll('=\r\n', ''));
    expect(mails.filter((raw) => raw.includes(pageFor(1)))).not.toEqual([]);
    // A scanner opens the link, and nothing happens.
    for (const method of ['GET', 'HEAD'] as const) await open(app, pageFor(1), method);
    expect((await states())[1]).toBe('open');
    const shown = await open(app, pageFor(1));
    expect([pageOf(shown), placesOf(shown)]).toMatchObject(['offer-open', { size: 'Small' }]);
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    await postForm(app, pageFor(1), { act: 'accept' }, foreign);
    await postForm(app, pageFor(1), { act: 'decline' });
    expect((await states())[1]).toBe('open');
    expect((await postForm(app, pageFor(1), { act: 'accept' })).statusCode).toBe(303);
    const pass = await open(app, pageFor(1));
    expect(pageOf(pass)).toBe('offer-pass');
    expect(pass.payload).toMatch(/mail-page-code">[A-Z0-9]{4}(?:-[A-Z0-9]{4}){3}</);

    await postForm(app, pageFor(2), { act: 'decline', sure: 'on' });
    expect((await states())[2]).toBe('declined');
    expect(pageOf(await open(app, pageFor(2)))).toBe('offer-elsewhere');
    expect(pageOf(await open(app, fillPath(mailPagePaths.offer, 'wrong')))).toBe('link-unknown');
  });
});

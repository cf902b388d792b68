/** The rewards of tiers, from owed to sent, through the operator's calls. */
import { beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { RewardTier } from '../../contract/operator/rewards/rewards.ts';
import { fillPath, mailPagePaths } from '../../contract/paths.ts';
import { confirmMember } from '../../server/line/change-member.ts';
import { deleteOldDetails } from '../../server/rewards/reward-store.ts';
import { captureLog } from '../support/captured-log.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { oneEngine } from '../support/engines.ts';
import { ADDRESS } from '../support/sample-address.ts';
import { tellStory } from '../support/tell-story.ts';
import { open, pageOf, placesOf, postForm, SECRET_KEY, tokenOf } from './mail-links.ts';
import { AS_OWNER, type ProvidedApp, provideApp } from './provide-app.ts';

/** Tier 1 takes three friends, and asks for an address. */
const REQUIRED = 3;

async function joinWith(app: ProvidedApp, name: string, count: number) {
  const { id, referral_code: code } = await app.join(`${name}@example.com`);
  const friends: string[] = [];
  for (let friend = 0; friend < count; friend += 1)
    friends.push((await app.join(`${name}.${friend}@example.com`, code)).id);
  return { id, friends };
}

describe.each(oneEngine)('rewards on %s', (engine) => {
  const log = captureLog();
  const app = provideApp(engine, { secretKey: SECRET_KEY, logLevel: 'trace' }, log.logger);
  const { get, read, change, refuses, preview, undo } = app;
  /** With 4, 3 and 2 friends. */
  const members: { id: string; friends: string[] }[] = [];
  beforeAll(async () => {
    for (const count of [4, 3, 2]) members.push(await joinWith(app, `ghost${count}`, count));
    await confirmEverybody(app.database);
  });

  const idOf = (index: number) => members[index]?.id ?? '';
  /** Another app has counted nothing yet. */
  async function countTiers(): Promise<RewardTier[]> {
    const other = await app.openAnother();
    const answer = await app.ask('GET', operatorPaths.rewards, undefined, AS_OWNER, other);
    await other.close();
    return answer.json().tiers;
  }
  const list = (state: string, tier = '1') =>
    read(`${fillPath(operatorPaths.rewardsOfTier, tier)}?state=${state}`);
  const idsIn = async (state: string) =>
    (await list(state)).rewards.map(({ id }: { id: string }) => id);

  const step = tellStory('goes through one step after the other');

  step('whoever reached the tier is owed its reward, and one more is a friend away', async () => {
    const [first, second] = await countTiers();
    expect(first).toMatchObject({ owed: 2, units: 2, within_one_friend: 1, units_if_reached: 3 });
    expect(second).toMatchObject({ owed: 0, within_one_friend: 0 });
    expect(await idsIn('owed')).toEqual([idOf(0), idOf(1)]);
    expect(await list('owed', '6')).toMatchObject({
      detail: 'There is no tier 6: the last is 5.',
    });
    const wrong = await get(`${fillPath(operatorPaths.rewardsOfTier, '1')}?state=sent&after=x`);
    expect(wrong.statusCode).toBe(422);
  });

  step('a budget shows what the tier costs, until it is undone', async () => {
    const input = { tier: 1, units: 2, cents_per_unit: 450 };
    expect((await preview('set-reward-budget', input)).sentences).toEqual([
      'The budget of tier 1 is 2 units at 4.50 each, 9.00.',
    ]);
    const made = await change('set-reward-budget', input);
    expect((await countTiers())[0]).toMatchObject({
      cost_cents: 900,
      cost_cents_if_reached: 1350,
      units_over_budget: 1,
    });
    expect((await undo(made.change)).status).toBe(201);
    expect((await countTiers())[0]?.budget).toBeNull();
  });

  step('rewards are marked as sent, which an undo takes back', async () => {
    const input = { tier: 1, member_ids: [idOf(0), idOf(2)], states: ['owed'] };
    expect(await preview('mark-rewards-sent', input)).toMatchObject({
      sentences: [
        '1 reward of tier 1 is marked as sent: Glow sticker set.',
        '1 member has not said where to send it.',
        expect.any(String),
      ],
      counts: { rewards: 1 },
    });
    const nothing = 'No reward of tier 1 would be marked by this.';
    await refuses('mark-rewards-sent', { tier: 1 }, nothing);
    const two = { tier: 1, states: ['owed'], expected: 1 };
    await refuses('mark-rewards-sent', two, /2 rewards would change/);
    const made = await change('mark-rewards-sent', input);
    expect(made.summary).toBe('1 reward of tier 1 was marked as sent.');
    expect(await idsIn('sent')).toEqual([idOf(0)]);
    expect((await countTiers())[0]).toMatchObject({ owed: 1, sent: 1, units: 2 });
    expect((await undo(made.change)).summary).toBe(
      '1 reward of tier 1 is not marked as sent any more.',
    );
    expect(await idsIn('owed')).toEqual([idOf(0), idOf(1)]);
  });

  step('what was sent still counts when its member has lost the tier', async () => {
    await change('mark-rewards-sent', { tier: 1, states: ['owed'], member_ids: [idOf(1)] });
    const { friends } = members[1] ?? { friends: [] };
    await change('decide-credits', { state: 'refused', member_ids: friends });
    expect((await countTiers())[0]).toMatchObject({ owed: 1, sent: 1, units: 2 });
  });

  step('the export is CSV', async () => {
    const file = await get(fillPath(operatorPaths.exportRewards, '1'));
    expect(file.headers['content-disposition']).toContain('rewards-1.csv');
    const [head, ...lines] = file.payload.trimEnd().split('\r\n');
    expect(head).toMatch(
      /^\uFEFFid,email,.*,state,name,address_1,.*,country,phone,code,asked_at,sent_at$/,
    );
    expect(lines.map((line) => line.split(',').slice(0, 7))).toEqual([
      [idOf(0), 'ghost4@example.com', expect.any(String), '4', '1', 'Glow sticker set', 'owed'],
      [idOf(1), 'ghost3@example.com', expect.any(String), '0', '1', 'Glow sticker set', 'sent'],
    ]);
  });

  step('members are asked by mail, and say on a page where it goes', async () => {
    const answer = await change('ask-rewards', { tier: 1 });
    expect(answer).toMatchObject({
      summary: 'Members were asked where to send 1 reward of tier 1.',
      undo_until: null,
    });
    const mails = await app.mailsTo(idOf(0));
    const [mail = ''] = mails.filter((one) => one.includes('/rewards/'));
    const [, link = ''] = /https:\/\/line\.example\.com(\/rewards\/[\w-]+\/1)\b/.exec(mail) ?? [];
    const asked = await open(app, link);
    expect(pageOf(asked)).toBe('reward-asked');
    expect(placesOf(asked)).toMatchObject({ reward: 'Glow sticker set', level: '1' });
    expect(pageOf(await postForm(app, link, { ...ADDRESS, town: ' ' }))).toBe('link-trouble');
    expect(await idsIn('asked')).toEqual([idOf(0)]);
    expect((await postForm(app, link, ADDRESS)).headers.location).toBe(link);
    expect(pageOf(await open(app, link))).toBe('reward-answered');
    expect(await idsIn('answered')).toEqual([idOf(0)]);
    expect((await change('ask-rewards', { tier: 1, again: true })).status).toBe(409);
  });

  step('a link is for the rewards that its member was asked about, until it expires', async () => {
    const token = tokenOf(idOf(0), 'reward');
    expect((await open(app, fillPath(mailPagePaths.reward, token, 2))).statusCode).toBe(404);
    const other = fillPath(mailPagePaths.reward, tokenOf(idOf(0), 'preferences'), 1);
    expect((await postForm(app, other, ADDRESS)).statusCode).toBe(404);
    const expired = fillPath(mailPagePaths.reward, tokenOf(idOf(0), 'reward', { inDays: -1 }), 1);
    expect((await postForm(app, expired, ADDRESS)).statusCode).toBe(410);
  });

  step('the address is in the export and in the data of its member, and nowhere else', async () => {
    const file = await get(fillPath(operatorPaths.exportRewards, '1'));
    expect(file.payload).toContain(
      'answered,Ada Lovelace,Ockham Road 1,,10115,Berlin,,DE,+49 170 123 456,,20',
    );
    const data = fillPath(mailPagePaths.downloadData, tokenOf(idOf(0), 'preferences'));
    expect((await postForm(app, data)).json().rows.reward).toMatchObject([{ details: ADDRESS }]);
    const { text } = await dumpDatabase(app.database, (table) => table !== 'public.reward');
    expect(text).not.toContain('Ockham Road');
    expect(JSON.stringify(await list('answered'))).not.toContain('Ockham Road');
    expect(log.text()).not.toContain('Ockham Road');
  });

  step('the address is deleted a day after the reward was sent, or with its member', async () => {
    const details = async () =>
      (await app.sql('select details from reward where member_id = $1', [idOf(0)])).map(
        (row) => row.details,
      );
    const made = await change('mark-rewards-sent', { tier: 1 });
    await deleteOldDetails(app.database);
    expect(await details()).toEqual([ADDRESS]);
    expect((await undo(made.change)).status).toBe(201);
    await change('mark-rewards-sent', { tier: 1 });
    const link = fillPath(mailPagePaths.reward, tokenOf(idOf(0), 'reward'), 1);
    expect(pageOf(await open(app, link))).toBe('reward-sent');
    expect((await postForm(app, link, ADDRESS)).statusCode).toBe(409);
    await app.sql(`update reward set sent_at = sent_at - interval '26 hours'`);
    await deleteOldDetails(app.database);
    expect(await details()).toEqual([null]);
    await app.sql(`update reward set state = 'answered', sent_at = null,
      details = '${JSON.stringify(ADDRESS)}'
      where member_id = '${idOf(0)}'`);
    await change('erase-member', { member: idOf(0) });
    expect((await dumpDatabase(app.database)).text).not.toContain('Ockham Road');
  });

  const winners: string[] = [];
  const codes = ['GIFT-1', 'GIFT-2', 'GIFT-3'];
  const give = (more = {}) => change('send-reward-codes', { tier: 1, ...more });
  const rewardsOfTier = () =>
    app.sql<{ member_id: string; code: string; state: string }>(
      'select member_id, code, state from reward where member_id = any($1::uuid[])',
      [winners],
    );

  step('codes are imported for a tier, and are none for passes', async () => {
    for (const count of [5, 4, 3]) winners.push((await joinWith(app, `winner${count}`, count)).id);
    await confirmEverybody(app.database);
    expect((await give({ member_ids: winners })).detail).toBe(
      'No code of tier 1 is left: import some.',
    );
    for (const wrong of [{ size: 'Small', tier: 1 }, { tier: 6 }])
      expect(await change('import-codes', { codes, ...wrong })).toMatchObject({ status: 422 });
    const made = await change('import-codes', { codes, tier: 1 });
    expect(made.summary).toBe('3 codes for tier 1 were imported.');
    expect(await read(operatorPaths.offers)).toMatchObject({ codes_imported: 0 });
  });

  step('two operators at once give no more than the budget, and no code twice', async () => {
    const { units = 0 } = (await countTiers())[0] ?? {};
    const onTheirWay = units - winners.length;
    const budget = { tier: 1, units: onTheirWay + 2, cents_per_unit: 100 };
    await change('set-reward-budget', budget);
    expect((await preview('send-reward-codes', { tier: 1 })).counts).toMatchObject({
      rewards: 2,
      left: 1,
    });
    // They name different members, so only the budget stands between them.
    const [first = '', ...others] = winners;
    const given = await Promise.all([
      give({ member_ids: others }),
      give({ member_ids: [first] }),
      give({ member_ids: others }),
    ]);
    expect(given.find(({ status }) => status === 201)).toMatchObject({ undo_until: null });
    const rewards = await rewardsOfTier();
    expect(rewards.map(({ state }) => state)).toEqual(['sent', 'sent']);
    expect(new Set(rewards.map(({ code }) => code))).toEqual(new Set(['GIFT-1', 'GIFT-2']));
    expect((await give()).detail).toBe('The budget of tier 1 leaves 0 units.');
  });

  step('without a budget each code is given once, whoever is first', async () => {
    await app.sql('delete from reward_budget');
    const given = await Promise.all([give(), give()]);
    expect(given.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(new Set((await rewardsOfTier()).map(({ code }) => code))).toEqual(new Set(codes));
    expect((await give()).status).toBe(409);
  });

  step('each member is mailed their own code, and it is in the export', async () => {
    const file = await get(fillPath(operatorPaths.exportRewards, '1'));
    for (const { member_id: id, code } of await rewardsOfTier()) {
      const mails = (await app.mailsTo(id)).join('\n');
      expect(codes.filter((one) => mails.includes(one))).toEqual([code]);
      expect(file.payload).toMatch(new RegExp(`${id},.*,sent,.*,${code},`));
    }
  });
});

describe.each(oneEngine)('a reward whose friends have yet to confirm on %s', (engine) => {
  const app = provideApp(engine, { secretKey: SECRET_KEY });
  const { read, change, refuses, preview, statusOf } = app;

  test('is owed at once, and its member is asked about it once enough have', async () => {
    const { id, friends } = await joinWith(app, 'waiting', REQUIRED);
    const settled = await joinWith(app, 'settled', REQUIRED);
    const confirm = (memberId = '') => confirmMember(app.database, { memberId });
    for (const one of [settled.id, ...settled.friends, id]) await confirm(one);
    const { rewards } = await read(`${fillPath(operatorPaths.rewardsOfTier, '1')}?state=owed`);
    expect(rewards).toHaveLength(2);
    expect(await statusOf(id)).toMatchObject({ tier_level: 1, rewards_waiting: 1 });
    expect(await preview('ask-rewards', { tier: 1 })).toMatchObject({
      sentences: expect.arrayContaining([
        '1 other waits: too few of their friends have confirmed their address.',
      ]),
      counts: { rewards: 1, waiting: 1 },
    });
    expect(await change('ask-rewards', { tier: 1 })).toMatchObject({ status: 201 });
    for (const friend of friends.slice(1)) await confirm(friend);
    await refuses(
      'ask-rewards',
      { tier: 1, member_ids: [id] },
      'Nobody would be asked about a reward of tier 1. 1 member waits: too few of their ' +
        'friends have confirmed their address.',
    );
    const countAsked = async () =>
      (await app.mailsTo(id)).filter((mail) => mail.includes('/rewards/')).length;
    expect(await countAsked()).toBe(0);
    await confirm(friends[0]);
    expect(await change('ask-rewards', { tier: 1 })).toMatchObject({ status: 201 });
    expect(await countAsked()).toBe(1);
    expect(await statusOf(id)).not.toHaveProperty('rewards_waiting');
  });
});

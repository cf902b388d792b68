/** The first in line, and what their positions rest on, over the API. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { FirstInLine } from '../../contract/operator/first-in-line.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { oneEngine } from '../support/engines.ts';
import { fillGroups, HONEST_GROUPS } from '../support/grouped-line.ts';
import { provideApp } from './provide-app.ts';

describe.each(oneEngine)('the first in line on %s', (engine) => {
  const app = provideApp(engine);
  let ids: Readonly<Record<string, string>>;
  beforeAll(async () => {
    ids = await fillGroups(app.database);
  });

  const read = (query = ''): Promise<FirstInLine> => app.read(operatorPaths.firstInLine + query);
  const find = async (name: string) => {
    const found = (await read()).members.find(({ member }) => member.id === ids[name]);
    if (found === undefined) throw new Error(`${name} is not among the first.`);
    return found;
  };

  test('each says who stands there, and how many of the friends are alike', async () => {
    const { friends, friend_groups: groups, alike } = await find('evening');
    expect(friends).toMatchObject({ joined: 30, confirmed: 30, counting: 27 });
    expect(groups.map(({ member_ids: _, ...group }) => group)).toEqual([
      expect.objectContaining({ by: 'domain', name: 'mine.example', members: 30, networks: 1 }),
      expect.objectContaining({ by: 'network', name: null, members: 30, confirmed: 30 }),
    ]);
    expect(groups[0]?.minutes).toBeLessThanOrEqual(120);
    expect(alike).toBe(30);
    expect((await find('alumni')).friend_groups.every(({ by }) => by === 'domain')).toBe(true);
  });

  test('friends who enter the list themselves stand with those of the same code', async () => {
    const { members } = await read();
    const friend = members.find(({ invited_by: inviter }) => inviter?.id === ids.creator);
    expect(friend?.invited_by).toEqual({ id: ids.creator, email: 'creator@gmail.com' });
    expect(friend?.stands_with[0]).toMatchObject({ by: 'code', confirmed: expect.any(Number) });
  });

  test('a creator is summarised by an even sample', async () => {
    const creator = await find('creator');
    expect(creator.friends).toMatchObject({ joined: 460, confirmed: 320, counting: 320 });
    expect(creator.friend_groups.reduce((sum, { members: all }) => sum + all, 0)).toBe(200);
  });

  test('friends at one domain of their own are listed before honest groups', async () => {
    const order = (await read()).members.map(({ member }) => member.id);
    const placesOf = (names: readonly string[]) =>
      names.map((name) => order.indexOf(ids[name] ?? ''));
    const honest = placesOf(Object.keys(HONEST_GROUPS)).filter((place) => place >= 0);
    expect(Math.max(...placesOf(['evening', 'residential']))).toBeLessThan(Math.min(...honest));
  });

  test('places are those of a freeze, and as many as were asked for', async () => {
    const { members } = await read('?first=7');
    const places = members.map(({ place }) => place).toSorted((a, b) => a - b);
    expect(places).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const counting = members
      .toSorted((a, b) => a.place - b.place)
      .map(({ friends }) => friends.counting);
    expect(counting.slice(0, 2)).toEqual([320, 55]);
    expect((await app.get(`${operatorPaths.firstInLine}?first=0`)).statusCode).toBe(422);
  });

  test('who looked, and when, is kept until it is undone', async () => {
    const { change } = await app.change('look-at-member', { member_id: ids.gym });
    expect(await find('gym')).toMatchObject({ looked: { change, friends_since: 0 } });
    expect((await read()).looked).toBe(1);
    await app.join('late@example.com', (await find('gym')).member.referral_code);
    expect(await find('gym')).toMatchObject({ looked: { friends_since: 1 } });
    await app.undo(change);
    expect((await find('gym')).looked).toBeNull();
  });
});

/** Strangers who try to keep operators out, by requests that each come from another address. */
import { beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { ACTIONS } from '../../server/guard/limits/limit-rules.ts';
import { createPasskey } from '../support/authenticator.ts';
import { askWith, fromConsole, makeLink, OWNER, signIn, signInAs } from './operator-sessions.ts';
import { provideApp } from './provide-app.ts';

/** Above what all addresses together may send of what strangers can use up. */
const CROWD = 1_400;
const UNREADABLE_PER_IP = ACTIONS['unreadable-passkey'].perIp.max;
const HOME = '203.0.113.9';

const app = provideApp('postgres', { isLimiting: true, trustProxy: ['127.0.0.1'] });
let addresses = 0;
beforeAll(async () => void (await signIn(app)));

const from = (ip: string, cookie?: string) =>
  askWith(app, { 'x-forwarded-for': ip, ...(cookie !== undefined && { cookie }) });
const stranger = () => {
  addresses += 1;
  return from(`198.18.${addresses >> 8}.${addresses & 255}`);
};

async function flood(path: string, body?: (round: number) => object): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let round = 0; round < CROWD; round += 1)
    statuses.add((await stranger()('POST', path, body?.(round))).statusCode);
  return statuses;
}

describe('what strangers use up of nobody', () => {
  test('links: any number of wrong ones from anywhere refuses no right one', async () => {
    const statuses = await flood(operatorPaths.signIn, (round) => ({ token: `wrong${round}` }));
    expect(statuses).toEqual(new Set([401]));
    for (let wrong = 0; wrong < 12; wrong += 1)
      await from(HOME)('POST', operatorPaths.signIn, { token: 'wrong' });
    const token = await makeLink(app, OWNER.email);
    expect((await from(HOME)('POST', operatorPaths.signIn, { token })).statusCode).toBe(200);
  });

  test('passkeys: challenges cost strangers and the database nothing', async () => {
    const owner = askWith(app, fromConsole(await signIn(app, OWNER.email)));
    const passkey = createPasskey('ES256', 'https://line.example.com');
    const credential = passkey.register((await owner('POST', operatorPaths.newPasskey)).json());
    const adding = { name: 'Phone', credential };
    expect((await owner('POST', operatorPaths.passkeys, adding)).statusCode).toBe(201);
    const countStored = async () =>
      (await app.database.runSql('select from one_time_secret')).rows.length;
    const before = await countStored();
    expect(await flood(operatorPaths.passkeyChallenge)).toEqual(new Set([200]));
    expect(await countStored()).toBe(before);
    const enter = async (change?: Parameters<typeof passkey.signIn>[1]) => {
      const options = (await from(HOME)('POST', operatorPaths.passkeyChallenge)).json();
      const answer = { credential: passkey.signIn(options, change) };
      return (await from(HOME)('POST', operatorPaths.passkeySignIn, answer)).statusCode;
    };
    const unreadable: number[] = [];
    for (let round = 0; round < UNREADABLE_PER_IP + 1; round += 1)
      unreadable.push(await enter(() => Buffer.from('unreadable')));
    expect(unreadable).toEqual([...Array(UNREADABLE_PER_IP).fill(409), 429]);
    expect(await enter()).toBe(200);
  });

  test('mail requests for made-up addresses refuse no other one', async () => {
    const statuses = await flood(operatorPaths.signInMail, (round) => ({
      email: `nobody${round}@example.com`,
    }));
    expect(statuses).toEqual(new Set([202]));
    const other = { name: 'Grace', email: 'grace@example.com', role: 'viewer' } as const;
    await signInAs(app, other);
    const mailed = await from(HOME)('POST', operatorPaths.signInMail, { email: other.email });
    expect(mailed.statusCode).toBe(202);
  });
});

describe('a mail with a link for an operator', () => {
  const mail = async (ask: ReturnType<typeof askWith>, email: string) =>
    await ask('POST', operatorPaths.signInMail, { email });

  async function deviceOf(): Promise<string> {
    const token = await makeLink(app, OWNER.email);
    const entered = await from(HOME)('POST', operatorPaths.signIn, { token });
    const [, device = ''] = entered.headers['set-cookie'] as string[];
    expect(device).toMatch(/^__Host-waitlist_device=[\w.-]+; Path=\/; Max-Age=34560000; HttpOnly/);
    return device.split(';')[0] ?? '';
  }

  test('is still sent to a device that was signed in, after strangers asked for all', async () => {
    const [device, other] = [await deviceOf(), await deviceOf()];
    for (let round = 0; round < 6; round += 1) await mail(stranger(), OWNER.email);
    const refused = await mail(from(HOME), OWNER.email);
    expect([refused.statusCode, refused.json().detail]).toEqual([
      429,
      'Links were mailed to this address already: use the newest one, or wait a little.',
    ]);
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1)
      statuses.push((await mail(from(HOME, device), OWNER.email)).statusCode);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
    expect((await mail(from(HOME, other), OWNER.email)).statusCode).toBe(202);
  });

  test('is not sent for a device of another address, or one that is made up', async () => {
    const device = await deviceOf();
    for (let round = 0; round < 6; round += 1) await mail(stranger(), 'eve@example.com');
    for (const cookie of [device, '__Host-waitlist_device=x.y', '__Host-waitlist_device=x'])
      expect((await mail(from(HOME, cookie), 'eve@example.com')).statusCode).toBe(429);
  });

  test('a device keeps its share when it signs in again, and gets no second one', async () => {
    const device = await deviceOf();
    const token = await makeLink(app, OWNER.email);
    const again = await from(HOME, device)('POST', operatorPaths.signIn, { token });
    expect(String(again.headers['set-cookie'])).toContain(device);
  });
});

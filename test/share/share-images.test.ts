/** The images that the server draws, over HTTP. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiPaths, fillPath, IMAGE_FORMATS, imagePaths, pagePaths } from '../../contract/paths.ts';
import { REWARD_DRAWINGS } from '../../contract/reward-drawings.ts';
import { removeMember } from '../../server/line/change-member.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from '../http/test-app.ts';
import { NEUTRAL_CARD } from '../http/test-site.ts';
import { isAll } from '../support/test-form.ts';

let app: TestApp;
let inviter: { id: string; referral_code: string };
let version: string;

beforeAll(async () => {
  app = await openTestApp('postgres');
  inviter = await app.join('secret@example.com');
  const page = await get(fillPath(pagePaths.invite, inviter.referral_code));
  version = /card\/([^"/]+)\.jpg"/.exec(page.payload)?.[1] ?? '';
});
afterAll(() => app.remove());

const get = (url: string, other: Pick<TestApp, 'fastify'> = app) =>
  other.fastify.inject({ method: 'GET', url });
const readMetrics = async () => {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  return (await app.fastify.inject({ method: 'GET', url: '/metrics', headers })).payload;
};
const cardOf = (code: string, ofVersion = version) =>
  get(fillPath(imagePaths.inviteCard, code, ofVersion));

describe('the card of an invite', () => {
  test('is in the head of its page, as an absolute URL with its version', async () => {
    const page = await get(fillPath(pagePaths.invite, inviter.referral_code.toLowerCase()));
    const path = fillPath(imagePaths.inviteCard, inviter.referral_code, version);
    expect(version).toMatch(/^[\w-]{10}$/);
    expect(page.payload).toContain(`property="og:image" content="https://line.example.com${path}"`);
    expect((await get(fillPath(pagePaths.invite, 'no code'))).payload).toContain(
      'content="https://line.example.com/og.jpg"',
    );
  });

  test('is a JPEG that anyone may cache for ever and embed', async () => {
    const card = await cardOf(inviter.referral_code);
    expect(card.statusCode).toBe(200);
    expect(card.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(card.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'x-robots-tag': 'noindex',
    });
  });

  test('is the same in any letter case, and cached briefly under an older version', async () => {
    const card = await cardOf(inviter.referral_code);
    expect((await cardOf(inviter.referral_code.toLowerCase())).rawPayload).toEqual(card.rawPayload);
    const older = await cardOf(inviter.referral_code, 'older');
    expect(older.rawPayload).toEqual(card.rawPayload);
    expect(older.headers['cache-control']).toBe('public, max-age=300');
  });

  test.each(['ZZZZZZZZZZ', 'nonsense!', '..%2f..%2fetc', 'A'.repeat(200)])(
    'of %s, the code of no member, is the neutral card',
    async (code) => {
      const card = await get(`/invite/${code}/card/${version}.jpg`);
      expect(card.statusCode).toBe(200);
      expect(card.payload).toBe(NEUTRAL_CARD);
      expect(card.headers).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'no-store',
      });
    },
  );

  test('becomes the neutral card when the member is removed', async () => {
    const { id, referral_code: code } = await app.join('leaves@example.com');
    expect((await cardOf(code)).payload).not.toBe(NEUTRAL_CARD);
    await removeMember(app.database, { memberId: id });
    expect((await cardOf(code)).payload).toBe(NEUTRAL_CARD);
  });

  test('unknown codes cache nothing', async () => {
    const folder = () =>
      readdirSync(app.config.dataDir, { recursive: true }).filter(
        (name) => !/database/.test(`${name}`),
      );
    const cachedBytes = async () =>
      /^share_images_kept_bytes (\d+)$/m.exec(await readMetrics())?.[1];
    const before = [folder(), await cachedBytes()];
    for (let index = 0; index < 100; index++) {
      const code = index
        .toString(32)
        .toUpperCase()
        .replaceAll(/[IOLU]/g, 'Z')
        .padStart(10, 'Z');
      expect((await cardOf(code)).payload).toBe(NEUTRAL_CARD);
    }
    expect(Number(before[1])).toBeGreaterThan(0);
    expect([folder(), await cachedBytes()]).toEqual(before);
  });

  test.runIf(isAll)('guessing codes here is limited, and a member is still drawn', async () => {
    const limited = await app.openAnother({ isLimiting: true });
    const ask = (url: string) =>
      limited.fastify.inject({ method: 'GET', url, remoteAddress: '203.0.113.7' });
    const wrong = fillPath(imagePaths.inviteCard, 'ZZZZZZZZZZ', version);
    for (let index = 0; index < 60; index++) expect((await ask(wrong)).statusCode).toBe(200);
    const refused = await ask(wrong);
    const card = await ask(fillPath(imagePaths.inviteCard, inviter.referral_code, version));
    await limited.close();
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect([card.statusCode, card.payload === NEUTRAL_CARD]).toEqual([200, false]);
  });
});

describe('the ghost of a member, for mails', () => {
  const ghostOf = (code: string, ofVersion = version) =>
    get(fillPath(imagePaths.ghost, code, ofVersion));

  test('is a small JPEG that mail clients may fetch, embed and cache', async () => {
    const ghost = await ghostOf(inviter.referral_code);
    expect(ghost.statusCode).toBe(200);
    expect(ghost.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(ghost.rawPayload.length).toBeLessThan(40_000);
    expect(ghost.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'x-robots-tag': 'noindex',
    });
    const older = await ghostOf(inviter.referral_code.toLowerCase(), 'older');
    expect(older.rawPayload).toEqual(ghost.rawPayload);
    expect(older.headers['cache-control']).toBe('public, max-age=300');
  });

  test('becomes the unlit mask when the member is removed', async () => {
    const { id, referral_code: code } = await app.join('fades@example.com');
    const nobody = await ghostOf('ZZZZZZZZZZ');
    expect(nobody.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
    });
    expect((await ghostOf(code)).rawPayload).not.toEqual(nobody.rawPayload);
    await removeMember(app.database, { memberId: id });
    expect((await ghostOf(code)).rawPayload).toEqual(nobody.rawPayload);
    expect((await ghostOf('..%2f..%2fetc')).rawPayload).toEqual(nobody.rawPayload);
  });

  test.runIf(isAll)('guessing codes here is limited too', async () => {
    const limited = await app.openAnother({ isLimiting: true });
    const ask = (code: string) =>
      limited.fastify.inject({
        method: 'GET',
        url: fillPath(imagePaths.ghost, code, version),
        remoteAddress: '203.0.113.8',
      });
    for (let index = 0; index < 60; index++) await ask('ZZZZZZZZZZ');
    const refused = await ask('ZZZZZZZZZZ');
    const ghost = await ask(inviter.referral_code);
    await limited.close();
    expect([refused.statusCode, ghost.statusCode]).toEqual([429, 200]);
  });
});

describe('the picture of a reward, for mails about a tier', () => {
  const rewardOf = (code: string, picture: string) =>
    get(fillPath(imagePaths.reward, code, picture, version));

  test('has the face of the member on it, each in its own way', async () => {
    const { referral_code: other } = await app.join('other-reward@example.com');
    const pictures = new Set<string>();
    for (const picture of Object.keys(REWARD_DRAWINGS))
      for (const code of [inviter.referral_code, other]) {
        const { statusCode, headers, rawPayload } = await rewardOf(code, picture);
        expect([statusCode, headers['content-type']]).toEqual([200, 'image/jpeg']);
        expect(rawPayload.length).toBeLessThan(40_000);
        pictures.add(rawPayload.toString('base64'));
      }
    expect(pictures.size).toBe(2 * Object.keys(REWARD_DRAWINGS).length);
  });

  test('is the unlit mask for nobody, and there is none of what is no reward', async () => {
    const nobody = await get(fillPath(imagePaths.ghost, 'ZZZZZZZZZZ', version));
    expect((await rewardOf('ZZZZZZZZZZ', 'shirt')).rawPayload).toEqual(nobody.rawPayload);
    expect((await rewardOf(inviter.referral_code, 'toString')).statusCode).toBe(404);
  });
});

describe("a member's image", () => {
  test.each(IMAGE_FORMATS)('of format %s is private', async (format) => {
    const image = await get(fillPath(imagePaths.memberImage, inviter.id, format));
    expect(image.statusCode).toBe(200);
    expect(image.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(image.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(image.headers['content-disposition']).toMatch(
      new RegExp(`^inline; filename="[a-z-]+-${format}\\.jpg"$`),
    );
  });

  test('changes with the position', async () => {
    const { id } = await app.join('climber@example.com');
    const before = await get(fillPath(imagePaths.memberImage, id, 'wide'));
    const { referral_code: code } = (await get(fillPath(apiPaths.status, id))).json();
    await app.join('friend@example.com', code);
    const after = await get(fillPath(imagePaths.memberImage, id, 'wide'));
    expect(after.rawPayload).not.toEqual(before.rawPayload);
  });

  test('of an unknown member or format is a 404', async () => {
    const nobody = await get(
      fillPath(imagePaths.memberImage, '00000000-0000-4000-8000-000000000000', 'wide'),
    );
    expect([nobody.statusCode, typeof nobody.json().detail]).toEqual([404, 'string']);
    const format = await get(
      fillPath(imagePaths.memberImage, inviter.id, 'wide').replace('wide', 'round'),
    );
    expect(format.statusCode).toBe(404);
  });
});

describe('the QR code of an invite', () => {
  test('is an SVG for codes of members only, with the same bytes each time', async () => {
    const picture = await get(fillPath(imagePaths.inviteQr, inviter.referral_code));
    expect(picture.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=300',
    });
    expect(picture.payload).toMatch(/^<svg /);
    expect(
      (await get(fillPath(imagePaths.inviteQr, inviter.referral_code.toLowerCase()))).payload,
    ).toBe(picture.payload);
    for (const code of ['nonsense!', 'ABCDEFGHJK']) {
      expect((await get(fillPath(imagePaths.inviteQr, code))).statusCode).toBe(404);
    }
  });
});

test('status requests are answered while an image is drawn', async () => {
  const order: string[] = [];
  const { id } = await app.join('waits@example.com');
  const image = get(fillPath(imagePaths.memberImage, id, 'tall')).then(() => order.push('image'));
  await get(fillPath(apiPaths.status, id)).then(() => order.push('status'));
  await image;
  expect(order).toEqual(['status', 'image']);
});

/**
 * The images that the server draws, over HTTP. Their limits are in test/http/limits.test.ts, as
 * for all that looks up codes.
 */
import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiPaths, fillPath, IMAGE_FORMATS, imagePaths, pagePaths } from '../../contract/paths.ts';
import { REWARD_DRAWINGS } from '../../contract/reward-drawings.ts';
import { removeMember } from '../../server/line/change-member.ts';
import { provideApp } from '../http/provide-app.ts';
import { NEUTRAL_CARD } from '../http/test-site.ts';

const app = provideApp('postgres');
let inviter: { id: string; referral_code: string };
let version: string;

beforeAll(async () => {
  inviter = await app.join('secret@example.com');
  const page = await get(fillPath(pagePaths.invite, inviter.referral_code));
  version = /card\/([^"/]+)\.jpg"/.exec(page.payload)?.[1] ?? '';
});

const get = (url: string) => app.fastify.inject(url);

describe.each(['inviteCard', 'ghost'] as const)('the public image %s', (name) => {
  const imageOf = (code: string, ofVersion = version) =>
    get(fillPath(imagePaths[name], code, ofVersion));

  test('is a JPEG that anyone may embed, and cache for ever under its version', async () => {
    const image = await imageOf(inviter.referral_code);
    expect(image.statusCode).toBe(200);
    expect(image.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(image.rawPayload.length).toBeLessThan(name === 'ghost' ? 40_000 : 100_000);
    expect(image.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'x-robots-tag': 'noindex',
    });
    const older = await imageOf(inviter.referral_code.toLowerCase(), 'older');
    expect(older.rawPayload).toEqual(image.rawPayload);
    expect(older.headers['cache-control']).toBe('public, max-age=300');
  });

  test('is that of nobody once its member is removed, and for what is no code', async () => {
    const { id, referral_code: code } = await app.join(`${name}@example.com`);
    const nobody = await imageOf('ZZZZZZZZZZ');
    expect([nobody.statusCode, nobody.payload === NEUTRAL_CARD]).toEqual([
      200,
      name === 'inviteCard',
    ]);
    expect(nobody.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
    });
    expect((await imageOf(code)).rawPayload).not.toEqual(nobody.rawPayload);
    await removeMember(app.database, { memberId: id });
    for (const gone of [code, 'nonsense!', '../../etc', 'A'.repeat(200)])
      expect((await imageOf(gone)).rawPayload).toEqual(nobody.rawPayload);
  });
});

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

  test('unknown codes cache nothing', async () => {
    const folder = () =>
      readdirSync(app.config.dataDir, { recursive: true }).filter(
        (name) => !/database/.test(`${name}`),
      );
    const cachedBytes = async () =>
      /^share_images_kept_bytes (\d+)$/m.exec((await app.get('/metrics')).payload)?.[1];
    const before = [folder(), await cachedBytes()];
    for (let index = 0; index < 100; index++) {
      const code = index
        .toString(32)
        .toUpperCase()
        .replaceAll(/[IOLU]/g, 'Z')
        .padStart(10, 'Z');
      const card = await get(fillPath(imagePaths.inviteCard, code, version));
      expect(card.payload).toBe(NEUTRAL_CARD);
    }
    expect(Number(before[1])).toBeGreaterThan(0);
    expect([folder(), await cachedBytes()]).toEqual(before);
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

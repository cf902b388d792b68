import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { ghostSvg } from '../../../brand/art/ghost.ts';
import { IMAGE_FORMATS } from '../../../contract/paths.ts';
import { referralCode } from '../../../contract/referral-code-rules.ts';
import type { ImageJob } from './render-job.ts';
import { openRenderer, openRenderers, type Renderer } from './renderer.ts';
import { openShareImages } from './share-images.ts';

const brandDir = fileURLToPath(new URL('../../../brand', import.meta.url));
const renderer = openRenderer({ brandDir });
afterAll(() => renderer.close());

const randomCode = () => referralCode(randomBytes(10));
const inviteCard = (): ImageJob => ({ kind: 'invite-card', code: randomCode() });
/** The cheapest image, where it does not matter which one. */
const anyImage = (): ImageJob => ({ kind: 'ghost', code: randomCode() });
/** There is no such format, so drawing it crashes the thread. */
const crashing = {
  kind: 'member-image',
  format: 'round',
  code: 'X',
  position: 1,
  link: 'x',
} as unknown as ImageJob;
/** A visitor. */
const IP = '192.0.2.1';

/** Every worker thread has one message port. */
function countThreads(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
}

/** Width and height from the frame header of a JPEG. */
function sizeOf(jpeg: Buffer): [width: number, height: number] {
  expect([...jpeg.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  const frame = Math.max(
    jpeg.indexOf(Buffer.from([0xff, 0xc0])),
    jpeg.indexOf(Buffer.from([0xff, 0xc2])),
  );
  return [jpeg.readUInt16BE(frame + 7), jpeg.readUInt16BE(frame + 5)];
}

describe('images', () => {
  test('the cards of four codes are different JPEG files of 1200 x 630 under 100 kB', async () => {
    const cards: Buffer[] = [];
    for (let index = 0; index < 4; index++) cards.push(await renderer.render(inviteCard(), IP));
    for (const card of cards) {
      expect(sizeOf(card)).toEqual([1200, 630]);
      expect(card.length).toBeLessThan(100_000);
    }
    expect(new Set(cards.map((card) => card.toString('latin1'))).size).toBe(4);
  });

  test('four ghosts and the unlit mask are different JPEGs of 400 x 400 under 40 kB', async () => {
    const codes = [null, ...Array.from({ length: 4 }, randomCode)];
    const ghosts: Buffer[] = [];
    for (const code of codes) ghosts.push(await renderer.render({ kind: 'ghost', code }, IP));
    for (const ghost of ghosts) {
      expect(sizeOf(ghost)).toEqual([400, 400]);
      expect(ghost.length).toBeLessThan(40_000);
    }
    expect(new Set(ghosts.map((ghost) => ghost.toString('latin1'))).size).toBe(5);
  });

  test('another thread draws the same card to the same bytes', async () => {
    const job = inviteCard();
    const other = openRenderer({ brandDir });
    expect(await other.render(job, IP)).toEqual(await renderer.render(job, IP));
    await other.close();
  });

  test.each(IMAGE_FORMATS)(
    'a member image is %s, also for the millionth member',
    async (format) => {
      const sizes = { wide: [1200, 630], square: [1080, 1080], tall: [1080, 1920] };
      for (const position of [1, 1_000_000]) {
        const job = {
          kind: 'member-image',
          format,
          position,
          code: randomCode(),
          link: 'https://example.com/x',
        } as const;
        const image = await renderer.render(job, IP);
        expect(sizeOf(image)).toEqual(sizes[format]);
        expect(image.length).toBeLessThan(300_000);
      }
    },
  );
});

describe('the drawing thread', () => {
  test('does not block the calling thread', async () => {
    const own = openRenderer({ brandDir });
    const events: string[] = [];
    const drawn = own.render(anyImage(), IP).then(() => events.push('drawn'));
    await new Promise((resolve) => setImmediate(resolve));
    events.push('went on');
    await drawn;
    expect(events).toEqual(['went on', 'drawn']);
    await own.close();
  });

  test('that crashes fails the current job only', async () => {
    const first = renderer.render(crashing, IP);
    const second = renderer.render(anyImage(), IP);
    await expect(first).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    expect(sizeOf(await second)).toEqual([400, 400]);
  });

  test('refuses jobs at once when the queue is full', async () => {
    const small = openRenderer({ brandDir, maxWaiting: 2 });
    const taken = [anyImage(), anyImage(), anyImage()].map((job) => small.render(job, IP));
    await expect(small.render(anyImage(), IP)).rejects.toMatchObject({
      code: 'too_busy',
      retryAfterSeconds: 5,
    });
    expect(await Promise.all(taken)).toHaveLength(3);
    expect(sizeOf(await small.render(anyImage(), IP))).toEqual([400, 400]);
    await small.close();
  });

  test('refuses no address because another one wants many images: the queue is fair', async () => {
    const small = openRenderer({ brandDir, maxWaiting: 4 });
    const order: string[] = [];
    const ask = (asker: string) =>
      small.render(anyImage(), asker).then(
        () => order.push(asker),
        () => order.push(`not ${asker}`),
      );
    const crowd = Array.from({ length: 5 }, () => ask('crowd'));
    const asked = [ask('first'), ask('second'), ask('crowd')];
    await Promise.all([...crowd, ...asked]);
    expect(order.slice(0, 3)).toEqual(['not crowd', 'not crowd', 'not crowd']);
    expect(order.slice(3)).toEqual(['crowd', 'crowd', 'first', 'second', 'crowd']);
    await small.close();
  });

  test('draws an image that several visitors want once', async () => {
    const own = openRenderer({ brandDir });
    const job = anyImage();
    const [before, one, other] = await Promise.all([
      own.render(anyImage(), IP),
      own.render(job, '192.0.2.2'),
      own.render(job, '192.0.2.3'),
    ]);
    expect(one).toBe(other);
    expect(one).not.toEqual(before);
    await own.close();
  });

  test('draws ghosts and QR codes for pages as SVG, with the bytes of the browser', async () => {
    const code = randomCode();
    expect(await renderer.render({ kind: 'page-ghost', code }, IP)).toBe(ghostSvg(code));
    const link = 'https://example.com/x';
    expect(await renderer.render({ kind: 'qr', link }, IP)).toMatch(/^<svg .*<\/svg>$/);
  });

  test('keeps pages waiting for no image', async () => {
    const both = openRenderers({ brandDir });
    const order: string[] = [];
    await both.svgs.render({ kind: 'page-ghost', code: randomCode() }, IP);
    await both.images.render(anyImage(), IP);
    const images = Array.from({ length: 5 }, () =>
      both.images.render(anyImage(), IP).then(() => order.push('image')),
    );
    const ghost = both.svgs.render({ kind: 'page-ghost', code: randomCode() }, IP);
    await ghost.then(() => order.push('ghost'));
    await Promise.all(images);
    expect(order.slice(-3)).toEqual(['image', 'image', 'image']);
    await both.close();
  });

  test('is there before its first picture once warmed up, and a closed one ends', async () => {
    const before = countThreads();
    const own = openRenderer({ brandDir, idleMs: null });
    own.warmUp();
    expect(countThreads()).toBe(before + 1);
    await own.close();
    await expect.poll(countThreads).toBe(before);
  });

  test('reports why it crashed', async () => {
    const causes: unknown[] = [];
    const own = openRenderer({ brandDir, onFailure: (error) => causes.push(error) });
    await expect(own.render(crashing, IP)).rejects.toMatchObject({ code: 'unavailable' });
    expect(causes).toEqual([expect.any(Error)]);
    await own.close();
  });

  test('ends when idle, and starts again for the next job', async () => {
    const before = countThreads();
    const own = openRenderer({ brandDir, idleMs: 100 });
    await own.render(anyImage(), IP);
    expect(countThreads()).toBe(before + 1);
    await expect.poll(countThreads).toBe(before);
    expect(sizeOf(await own.render(anyImage(), IP))).toEqual([400, 400]);
    await own.close();
  });

  test('rejects waiting jobs when it is closed', async () => {
    const own = openRenderer({ brandDir });
    const waiting = Promise.allSettled([own.render(anyImage(), IP), own.render(anyImage(), IP)]);
    await own.close();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(own.render(anyImage(), IP)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('cached images', () => {
  test('concurrent and later calls for one card draw it once', async () => {
    let renders = 0;
    const counting: Renderer = {
      ...renderer,
      render: (job, asker) => renderer.render(job, asker).finally(() => renders++),
    };
    const images = openShareImages({ images: counting, svgs: counting });
    const job = anyImage();
    const cards = await Promise.all([
      images.draw(job, IP),
      images.draw(job, IP),
      images.draw({ ...job }, IP),
    ]);
    expect(await images.draw(job, IP)).toBe(cards[0]);
    expect(new Set(cards).size).toBe(1);
    expect(renders).toBe(1);
  });

  test('stay within their limit, and the most recently used stay', async () => {
    const images = openShareImages(
      { images: renderer, svgs: renderer },
      { maxCachedBytes: 250_000 },
    );
    const jobs = Array.from({ length: 5 }, inviteCard);
    for (const job of jobs) {
      await images.draw(job, IP);
      expect(images.cachedBytes()).toBeLessThanOrEqual(250_000);
    }
    const [last] = jobs.slice(-1);
    if (last === undefined) throw new Error('no job');
    expect(await images.draw(last, IP)).toBe(await images.draw(last, IP));
  });

  test('an image that could not be drawn is not cached', async () => {
    const images = openShareImages({ images: renderer, svgs: renderer });
    await expect(images.draw(crashing, IP)).rejects.toThrow();
    await expect(images.draw(crashing, IP)).rejects.toThrow();
    expect(images.cachedBytes()).toBe(0);
  });
});

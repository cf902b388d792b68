import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { IMAGE_FORMATS } from '../../../contract/paths.ts';
import { referralCode } from '../../line/referrals/referral-code-rules.ts';
import type { RenderJob } from './render-job.ts';
import { openRenderer } from './renderer.ts';
import { openShareImages } from './share-images.ts';

const brandDir = fileURLToPath(new URL('../../../brand', import.meta.url));
const renderer = openRenderer({ brandDir });
afterAll(() => renderer.close());

const randomCode = () => referralCode(randomBytes(10));
const inviteCard = (): RenderJob => ({ kind: 'invite-card', code: randomCode() });
/** There is no such format, so drawing it crashes the thread. */
const crashing = {
  kind: 'member-image',
  format: 'round',
  code: 'X',
  position: 1,
  link: 'x',
} as unknown as RenderJob;

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
  test('the cards of 16 codes are different JPEG files of 1200 x 630 under 100 kB', async () => {
    const cards: Buffer[] = [];
    for (let index = 0; index < 16; index++) cards.push(await renderer.render(inviteCard()));
    for (const card of cards) {
      expect(sizeOf(card)).toEqual([1200, 630]);
      expect(card.length).toBeLessThan(100_000);
    }
    expect(new Set(cards.map((card) => card.toString('latin1'))).size).toBe(16);
  }, 60_000);

  test('the ghosts of 16 codes and the unlit mask are different JPEG files of 400 x 400 under 40 kB', async () => {
    const codes = [null, ...Array.from({ length: 16 }, randomCode)];
    const ghosts: Buffer[] = [];
    for (const code of codes) ghosts.push(await renderer.render({ kind: 'ghost', code }));
    for (const ghost of ghosts) {
      expect(sizeOf(ghost)).toEqual([400, 400]);
      expect(ghost.length).toBeLessThan(40_000);
    }
    expect(new Set(ghosts.map((ghost) => ghost.toString('latin1'))).size).toBe(17);
  }, 60_000);

  test('another thread draws the same card to the same bytes', async () => {
    const job = inviteCard();
    const other = openRenderer({ brandDir });
    expect(await other.render(job)).toEqual(await renderer.render(job));
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
        const image = await renderer.render(job);
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
    const drawn = own.render(inviteCard()).then(() => events.push('drawn'));
    await new Promise((resolve) => setImmediate(resolve));
    events.push('went on');
    await drawn;
    expect(events).toEqual(['went on', 'drawn']);
    await own.close();
  });

  test('that crashes fails the current job only', async () => {
    const first = renderer.render(crashing);
    const second = renderer.render(inviteCard());
    await expect(first).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    expect(sizeOf(await second)).toEqual([1200, 630]);
  });

  test('refuses jobs at once when the queue is full', async () => {
    const small = openRenderer({ brandDir, maxWaiting: 2 });
    const taken = [inviteCard(), inviteCard(), inviteCard()].map((job) => small.render(job));
    await expect(small.render(inviteCard())).rejects.toMatchObject({
      code: 'too_busy',
      retryAfterSeconds: 5,
    });
    expect(await Promise.all(taken)).toHaveLength(3);
    expect(sizeOf(await small.render(inviteCard()))).toEqual([1200, 630]);
    await small.close();
  });

  test('reports why it crashed', async () => {
    const causes: unknown[] = [];
    const own = openRenderer({ brandDir, onFailure: (error) => causes.push(error) });
    await expect(own.render(crashing)).rejects.toMatchObject({ code: 'unavailable' });
    expect(causes).toEqual([expect.any(Error)]);
    await own.close();
  });

  test('ends when idle, and starts again for the next job', async () => {
    const before = countThreads();
    const own = openRenderer({ brandDir, idleMs: 100 });
    await own.render(inviteCard());
    expect(countThreads()).toBe(before + 1);
    await expect.poll(countThreads).toBe(before);
    expect(sizeOf(await own.render(inviteCard()))).toEqual([1200, 630]);
    await own.close();
  });

  test('rejects waiting jobs when it is closed', async () => {
    const own = openRenderer({ brandDir });
    const waiting = Promise.allSettled([own.render(inviteCard()), own.render(inviteCard())]);
    await own.close();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(own.render(inviteCard())).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('cached images', () => {
  test('concurrent and later calls for one card draw it once', async () => {
    let renders = 0;
    const counting = {
      ...renderer,
      render: (job: RenderJob) => renderer.render(job).finally(() => renders++),
    };
    const images = openShareImages(counting);
    const job = inviteCard();
    const cards = await Promise.all([images.draw(job), images.draw(job), images.draw({ ...job })]);
    expect(await images.draw(job)).toBe(cards[0]);
    expect(new Set(cards).size).toBe(1);
    expect(renders).toBe(1);
  });

  test('stay within their limit, and the most recently used stay', async () => {
    const images = openShareImages(renderer, { maxCachedBytes: 250_000 });
    const jobs = Array.from({ length: 5 }, inviteCard);
    for (const job of jobs) {
      await images.draw(job);
      expect(images.cachedBytes()).toBeLessThanOrEqual(250_000);
    }
    const [last] = jobs.slice(-1);
    if (last === undefined) throw new Error('no job');
    expect(await images.draw(last)).toBe(await images.draw(last));
  });

  test('an image that could not be drawn is not cached', async () => {
    const images = openShareImages(renderer);
    await expect(images.draw(crashing)).rejects.toThrow();
    await expect(images.draw(crashing)).rejects.toThrow();
    expect(images.cachedBytes()).toBe(0);
  });
});

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { copyText } from '../ui/clipboard.ts';
import { shareInvite } from './share.ts';

type Share = (() => Promise<void>) | undefined;

const INVITE = { title: 'T', text: 'x', url: 'https://example.com/invite/CODE' };
const refuse = (name: string) => () => Promise.reject<void>(new DOMException('no', name));

const window = new EventTarget();
const never = () => new Promise<void>(() => undefined);

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** Whether the promise is settled. */
function watch(promise: Promise<unknown>): () => Promise<boolean> {
  let isSettled = false;
  void promise.then(() => {
    isSettled = true;
  });
  return async () => {
    await vi.advanceTimersByTimeAsync(0);
    return isSettled;
  };
}

describe('sharing', () => {
  test.each<[string, Share, string, number]>([
    ['works', async () => undefined, 'shared', 0],
    ['is cancelled', refuse('AbortError'), 'cancelled', 0],
    ['fails', refuse('NotAllowedError'), 'copied', 1],
    ['is not supported', undefined, 'copied', 1],
  ])('that %s', async (_how, share, outcome, copies) => {
    const copied: string[] = [];
    const copy = async (text: string): Promise<boolean> => copied.push(text) > 0;
    expect(await shareInvite(INVITE, { share, copy, window })).toBe(outcome);
    expect(copied).toEqual(Array(copies).fill(INVITE.url));
  });

  test('fails when the link cannot be copied either', async () => {
    const device = { share: undefined, copy: async () => false, window };
    expect(await shareInvite(INVITE, device)).toBe('failed');
  });

  test('by a sheet that never answers ends after 5 s, and copies nothing', async () => {
    const copy = () => Promise.reject(new Error('no'));
    const isOver = watch(shareInvite(INVITE, { share: never, copy, window }));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(await isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isOver()).toBe(true);
  });

  test('by a sheet that never answers ends when the page has the focus again', async () => {
    const copy = () => Promise.reject(new Error('no'));
    const isOver = watch(shareInvite(INVITE, { share: never, copy, window }));
    expect(await isOver()).toBe(false);
    window.dispatchEvent(new Event('focus'));
    expect(await isOver()).toBe(true);
  });
});

describe('copying', () => {
  test('falls back to the old way when the clipboard is refused or missing', async () => {
    const copySelected = (text: string) => text === 'link';
    expect(
      await copyText('link', { clipboard: { writeText: refuse('NotAllowedError') }, copySelected }),
    ).toBe(true);
    expect(await copyText('link', { clipboard: undefined, copySelected })).toBe(true);
  });

  test('falls back to the old way when the clipboard has not answered for 5 s', async () => {
    const copied = copyText('link', { clipboard: { writeText: never }, copySelected: () => true });
    const isOver = watch(copied);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(await isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isOver()).toBe(true);
    expect(await copied).toBe(true);
  });

  test('says so when neither way works', async () => {
    function copySelected(): boolean {
      throw new Error('no');
    }
    expect(await copyText('link', { clipboard: undefined, copySelected })).toBe(false);
    expect(await copyText('link', { clipboard: undefined, copySelected: () => false })).toBe(false);
  });
});

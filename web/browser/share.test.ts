import { describe, expect, test } from 'vitest';
import { copyText } from './clipboard.ts';
import { shareInvite } from './share.ts';

type Share = (() => Promise<void>) | undefined;

const INVITE = { title: 'T', text: 'x', url: 'https://example.com/invite/CODE' };
const refuse = (name: string) => () => Promise.reject<void>(new DOMException('no', name));

describe('sharing', () => {
  test.each<[string, Share, string, number]>([
    ['works', async () => undefined, 'shared', 0],
    ['is cancelled', refuse('AbortError'), 'cancelled', 0],
    ['fails', refuse('NotAllowedError'), 'copied', 1],
    ['is not supported', undefined, 'copied', 1],
  ])('that %s', async (_how, share, outcome, copies) => {
    const copied: string[] = [];
    const copy = async (text: string): Promise<boolean> => copied.push(text) > 0;
    expect(await shareInvite(INVITE, { share, copy })).toBe(outcome);
    expect(copied).toEqual(Array(copies).fill(INVITE.url));
  });

  test('fails when the link cannot be copied either', async () => {
    expect(await shareInvite(INVITE, { share: undefined, copy: async () => false })).toBe('failed');
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

  test('says so when neither way works', async () => {
    function copySelected(): boolean {
      throw new Error('no');
    }
    expect(await copyText('link', { clipboard: undefined, copySelected })).toBe(false);
    expect(await copyText('link', { clipboard: undefined, copySelected: () => false })).toBe(false);
  });
});

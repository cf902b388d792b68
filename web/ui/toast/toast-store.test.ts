import { expect, test } from 'vitest';
import { createToastStore } from './toast-store.ts';

const TOAST = { title: 'Link copied!', variant: 'default', urgency: 'foreground' } as const;

test('a new toast replaces the old one, and waits for whoever shows it', () => {
  const store = createToastStore();
  store.show(TOAST);
  store.show({ ...TOAST, title: 'Copy failed' });
  expect(store.getCurrent()?.title).toBe('Copy failed');
});

test('the same toast raised twice is a new one', () => {
  const store = createToastStore();
  const ids: (number | undefined)[] = [];
  store.subscribe(() => ids.push(store.getCurrent()?.id));
  store.show(TOAST);
  store.show(TOAST);
  expect(new Set(ids).size).toBe(2);
});

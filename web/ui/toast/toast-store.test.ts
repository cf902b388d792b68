import { describe, expect, test } from 'vitest';
import { createToastStore } from './toast-store.ts';

const TOAST = { title: 'Link copied!', variant: 'default', urgency: 'foreground' } as const;

test('a new toast replaces the old one, and waits to be shown', () => {
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

describe('a hint', () => {
  const HINT = { title: 'Click to play music', variant: 'default', urgency: 'background' } as const;
  const titleIn = (store: ReturnType<typeof createToastStore>) => store.getCurrent()?.title;
  const idIn = (store: ReturnType<typeof createToastStore>) => store.getCurrent()?.id ?? 0;

  test('is shown at once where no toast is in view', () => {
    const store = createToastStore();
    store.showNext(HINT, () => true);
    expect(titleIn(store)).toBe(HINT.title);
    const after = createToastStore();
    after.show(TOAST);
    after.end(idIn(after));
    after.showNext(HINT, () => true);
    expect(titleIn(after)).toBe(HINT.title);
  });

  test('waits for the end of the toast in view, and of one that replaces it', () => {
    const store = createToastStore();
    store.show(TOAST);
    const replaced = idIn(store);
    store.showNext(HINT, () => true);
    store.show({ ...TOAST, title: 'Copy failed' });
    store.end(replaced);
    expect(titleIn(store)).toBe('Copy failed');
    store.end(idIn(store));
    expect(titleIn(store)).toBe(HINT.title);
    store.end(idIn(store));
    expect(titleIn(store)).toBe(HINT.title);
  });

  test('that is no longer true when it could be shown is not shown', () => {
    const store = createToastStore();
    store.show(TOAST);
    store.showNext(HINT, () => false);
    store.end(idIn(store));
    expect(titleIn(store)).toBe(TOAST.title);
  });
});

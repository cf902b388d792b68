import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import { RequestError } from '../../api/request.ts';
import { openDraftSaver } from './draft-saver.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const PAUSE_MS = 1_000;
const SAVED = { campaign: 7, revision: 1, subject: 'Soon', body: '', filter: {} } as Campaign;

type Save = Parameters<typeof openDraftSaver>[0]['save'];

function open(saved: Campaign | null, answer: () => Promise<void> = async () => {}) {
  const calls: string[] = [];
  const save: Save = async ({ draft, saved: base }) => {
    calls.push(draft.body);
    await answer();
    return { ...SAVED, ...draft, revision: (base?.revision ?? 0) + 1 };
  };
  const saver = openDraftSaver({ saved, owner: 'ada', save });
  return { saver, calls, close: saver.open() };
}

test('a draft is saved once its author pauses, and an empty one not at all', async () => {
  const { saver, calls } = open(null);
  saver.edit({ body: ' ' });
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(calls).toEqual([]);
  for (const body of ['a', 'ab', 'abc']) saver.edit({ body });
  expect(saver.read().isDirty).toBe(true);
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(calls).toEqual(['abc']);
  expect(saver.read()).toMatchObject({ isDirty: false, error: null, saved: { campaign: 7 } });
});

test('what is written during a save is saved by the next call, on the new revision', async () => {
  const held = Promise.withResolvers<void>();
  const { saver, calls, close } = open(SAVED, () => held.promise);
  saver.edit({ body: 'first' });
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  saver.edit({ body: 'second' });
  close();
  expect(calls).toEqual(['first']);
  held.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toEqual(['first', 'second']);
  expect(saver.read().saved?.revision).toBe(3);
});

test('a draft opened again during its save goes on with the same saver', async () => {
  const held = Promise.withResolvers<void>();
  const first = open(SAVED, () => held.promise);
  first.saver.edit({ body: 'left' });
  first.close();
  const second = open(SAVED);
  second.saver.edit({ body: 'left, and back' });
  held.resolve();
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(first.calls).toEqual(['left', 'left, and back']);
  expect(second.saver.read()).toMatchObject({ isDirty: false, saved: { revision: 3 } });
  expect(open(SAVED).saver).not.toBe(first.saver);
});

test('a failed save is tried again by itself, and a refused one after the next edit', async () => {
  let status: number | null = null;
  const { saver, calls } = open(SAVED, async () => {
    if (status !== 200) throw new RequestError('Not now.', { status });
  });
  saver.edit({ body: 'x' });
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(saver.read()).toMatchObject({ isDirty: true, error: { message: 'Not now.' } });
  status = 422;
  await vi.advanceTimersByTimeAsync(5 * PAUSE_MS);
  await vi.advanceTimersByTimeAsync(60 * PAUSE_MS);
  expect(calls).toHaveLength(2);
  status = 200;
  saver.edit({ body: 'y' });
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(saver.read()).toMatchObject({ isDirty: false, error: null });
});

test('a newer revision is taken, but never over something unsaved, and none after a delete', () => {
  const { saver, calls, close } = open(SAVED);
  saver.receive({ ...SAVED, revision: 2, body: 'theirs' });
  expect(saver.read().values.body).toBe('theirs');
  saver.edit({ body: 'mine' });
  saver.receive({ ...SAVED, revision: 3, body: 'theirs again' });
  expect(saver.read().values.body).toBe('mine');
  saver.discard();
  close();
  expect(calls).toEqual([]);
});

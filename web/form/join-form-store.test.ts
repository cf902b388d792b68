import { describe, expect, test } from 'vitest';
import type { JoinedMember } from '../api/answer-shapes.ts';
import { ApiError } from '../api/api-error.ts';
import type { JoinAttempt } from '../api/waitlist.ts';
import { createJoinFormStore } from './join-form-store.ts';

function open({ initialMessage = '' } = {}) {
  const attempts: JoinAttempt[] = [];
  const effects: string[] = [];
  let beginProof = () => {};
  const answers = Promise.withResolvers<JoinedMember>();
  const form = createJoinFormStore(
    {
      page: 'landing',
      join(attempt, { onProof }) {
        attempts.push(attempt);
        beginProof = onProof;
        return answers.promise;
      },
      makeKey: () => 'key',
      remember: ({ id }) => effects.push(`remember ${id}`),
      paint: async ({ id }) => void effects.push(`paint ${id}`),
      showToast: ({ title }) => effects.push(title),
      showStatus: (memberId) => effects.push(`show ${memberId}`),
    },
    initialMessage,
  );
  const leave = form.attach();
  return { form, leave, attempts, effects, answers, beginProof: () => beginProof() };
}

const REFUSED = new ApiError('Failed to join waitlist', { status: 422, detail: 'Not an address.' });

describe('the join form', () => {
  test('asks for an address without calling the server', async () => {
    const { form, attempts, effects } = open();
    await form.submit({ email: '  ', referredBy: null });
    expect(attempts).toEqual([]);
    expect(effects).toEqual(['Email required']);
    expect(form.getState()).toEqual({
      isJoining: false,
      isProving: false,
      message: 'Please enter your email to join the waitlist.',
      refusals: 1,
    });
  });

  test('joins once however often it is submitted, trimmed, and shows the status page', async () => {
    const { form, attempts, effects, answers } = open();
    const first = form.submit({ email: ' a@example.com ', referredBy: 'CODE' });
    expect(form.getState().isJoining).toBe(true);
    await form.submit({ email: 'a@example.com', referredBy: 'CODE' });
    answers.resolve({ id: 'one' });
    await first;
    expect(attempts).toEqual([
      { email: 'a@example.com', referredBy: 'CODE', idempotencyKey: 'key' },
    ]);
    expect(effects).toEqual([
      'remember one',
      'paint one',
      'Welcome to the Ghost Code Network!',
      'show one',
    ]);
    expect(form.getState().isJoining).toBe(true);
  });

  test('is idle again after a refusal, with the reason until the next edit', async () => {
    const { form, effects, answers } = open();
    answers.reject(REFUSED);
    await form.submit({ email: 'a', referredBy: null });
    expect(effects).toEqual(['Something went wrong']);
    expect(form.getState()).toEqual({
      isJoining: false,
      isProving: false,
      message: 'Not an address.',
      refusals: 1,
    });
    form.edit();
    expect(form.getState().message).toBe('');
  });

  test('says that a proof is being made until the join ends', async () => {
    const { form, answers, beginProof } = open();
    const join = form.submit({ email: 'a@example.com', referredBy: null });
    expect(form.getState().isProving).toBe(false);
    beginProof();
    expect(form.getState()).toMatchObject({ isJoining: true, isProving: true, message: '' });
    answers.reject(REFUSED);
    await join;
    expect(form.getState()).toMatchObject({ isJoining: false, isProving: false });
  });

  test('remembers a member when the answer comes too late to be shown', async () => {
    const { form, leave, effects, answers } = open();
    const join = form.submit({ email: 'a@example.com', referredBy: null });
    leave();
    answers.resolve({ id: 'one' });
    await join;
    expect(effects).toEqual(['remember one', 'paint one']);
  });

  test('works as before when the page is left and shown again', async () => {
    const { form, leave, effects, answers } = open();
    leave();
    form.attach();
    answers.resolve({ id: 'one' });
    await form.submit({ email: 'a@example.com', referredBy: null });
    expect(effects.at(-1)).toBe('show one');
  });

  test('is idle again when the browser restores the page from its cache', () => {
    const { form } = open();
    void form.submit({ email: 'a@example.com', referredBy: null });
    form.reset();
    expect(form.getState().isJoining).toBe(false);
  });

  test('begins with the refusal of a native post, without moving the focus', () => {
    const { form } = open({ initialMessage: 'Not an address.' });
    expect(form.getState()).toEqual({
      isJoining: false,
      isProving: false,
      message: 'Not an address.',
      refusals: 0,
    });
  });
});

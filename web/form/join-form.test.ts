import { describe, expect, test } from 'vitest';
import type { JoinedMember } from '../api/answer-shapes.ts';
import { ApiError } from '../api/api-error.ts';
import type { JoinAttempt } from '../api/waitlist.ts';
import { createJoinForm } from './join-form.ts';

function open({ servedMessage = '' } = {}) {
  const attempts: JoinAttempt[] = [];
  const effects: string[] = [];
  let beginProof = () => {};
  const answers = Promise.withResolvers<JoinedMember>();
  const form = createJoinForm(
    {
      page: 'landing',
      join(attempt, { onProof }) {
        attempts.push(attempt);
        beginProof = onProof;
        return answers.promise;
      },
      makeKey: () => 'key',
      remember: ({ id }) => effects.push(`remember ${id}`),
      showToast: ({ title }) => effects.push(title),
      showStatus: (memberId) => effects.push(`show ${memberId}`),
    },
    servedMessage,
  );
  return { form, attempts, effects, answers, beginProof: () => beginProof() };
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
    expect(attempts).toEqual([{ email: 'a@example.com', referredBy: 'CODE', idempotencyKey: 'key' }]);
    expect(effects).toEqual(['remember one', 'Welcome to the Ghost Code Network!', 'show one']);
    expect(form.getState().isJoining).toBe(true);
  });

  test('is idle again after a refusal, with the reason until the next edit', async () => {
    const { form, effects, answers } = open();
    answers.reject(REFUSED);
    await form.submit({ email: 'a', referredBy: null });
    expect(effects).toEqual(['Something went wrong']);
    expect(form.getState()).toEqual({ isJoining: false, isProving: false, message: 'Not an address.', refusals: 1 });
    form.edit();
    expect(form.getState().message).toBe('');
  });

  test('tells that the browser works for the join until that has come to an end', async () => {
    const { form, answers, beginProof } = open();
    const join = form.submit({ email: 'a@example.com', referredBy: null });
    expect(form.getState().isProving).toBe(false);
    beginProof();
    expect(form.getState()).toMatchObject({ isJoining: true, isProving: true, message: '' });
    answers.reject(REFUSED);
    await join;
    expect(form.getState()).toMatchObject({ isJoining: false, isProving: false });
  });

  test('remembers a member whose answer comes after the page was left, and moves nothing', async () => {
    const { form, effects, answers } = open();
    const join = form.submit({ email: 'a@example.com', referredBy: null });
    form.leave();
    answers.resolve({ id: 'one' });
    await join;
    expect(effects).toEqual(['remember one']);
  });

  test('is idle when the browser brings the page back as it was left', () => {
    const { form } = open();
    void form.submit({ email: 'a@example.com', referredBy: null });
    form.reset();
    expect(form.getState().isJoining).toBe(false);
  });

  test('begins with what the server said to a native post, without moving the focus', () => {
    const { form } = open({ servedMessage: 'Not an address.' });
    expect(form.getState()).toEqual({ isJoining: false, isProving: false, message: 'Not an address.', refusals: 0 });
  });
});

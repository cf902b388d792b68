import { Registry } from '@prometheus-io/client';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MINUTE_MS } from '../../durations.ts';
import { readFailure, type SmtpFailure } from '../../mail/delivery/smtp-failure-rules.ts';
import { openMailMetrics } from './mail-metrics.ts';
import type { MailJob } from './queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const job: MailJob = {
  id: '0e4c1d9a-41d5-4a06-8a0e-6a7f3a0b8f11',
  request: { kind: 'welcome', memberId: '6b1f8a52-5a0e-4c0f-9d6c-0f6d2f1f7a01' },
  loaded: null,
  queuedAt: new Date(0),
  retryCount: 0,
  isProbe: false,
};
const failureOf = (fields: object) => readFailure(Object.assign(new Error('x'), fields));
const refused = failureOf({ code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' });
const login = failureOf({ code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' });
const greylisted = failureOf({ code: 'EENVELOPE', responseCode: 451, command: 'RCPT TO' });

/** What a server logs at the default level. */
function open() {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'warn', base: null, timestamp: false },
    { write: (line) => lines.push(JSON.parse(line)) },
  );
  const { onOutcome, onFailedCheck } = openMailMetrics(new Registry(), {
    log,
    readBacklog: async () => ({ waiting: 0, stuck: 0, oldestSeconds: 0, isRefused: false }),
  });
  return {
    lines,
    messages: () => lines.map(({ msg }) => msg),
    onFailedCheck,
    fail: (failure: SmtpFailure) => onOutcome('later', job, failure),
    deliver: () => onOutcome('sent', job),
  };
}

test('an outage is one line with its cause at the start, and one at the end', () => {
  const { lines, fail, deliver } = open();
  for (let mail = 0; mail < 1000; mail += 1) fail(refused);
  for (let mail = 0; mail < 1000; mail += 1) deliver();
  expect(lines).toEqual([
    {
      level: 40,
      kind: 'welcome',
      cause: 'connection refused',
      error_code: 'ECONNREFUSED',
      command: 'CONN',
      advice: expect.stringContaining('SMTP_URL'),
      msg: 'mail delivery failed, retrying for a day',
    },
    { level: 40, msg: 'mail delivery works again' },
  ]);
});

test('another cause in the same outage is logged, too', () => {
  const { lines, fail } = open();
  for (const failure of [refused, refused, login, login]) fail(failure);
  expect(lines.map(({ cause }) => cause)).toEqual(['connection refused', 'login refused']);
});

test('a failed check at the start is the first line of an outage', () => {
  const { messages, onFailedCheck, fail, deliver } = open();
  onFailedCheck(refused);
  fail(refused);
  deliver();
  expect(messages()).toEqual(['the mail server cannot be used', 'mail delivery works again']);
});

test('greylisting is logged once an hour and is no outage', () => {
  const { lines, fail, deliver } = open();
  for (let minute = 0; minute < 90; minute += 1) {
    fail(greylisted);
    deliver();
    vi.advanceTimersByTime(MINUTE_MS);
  }
  const line = { cause: 'greylisted or put off', responseCode: 451 };
  expect(lines).toMatchObject([line, line]);
});

test('a mail server that comes and goes every second is logged once a minute', () => {
  const { messages, fail, deliver } = open();
  for (let second = 0; second < 120; second += 1) {
    fail(refused);
    deliver();
    vi.advanceTimersByTime(1_000);
  }
  expect(messages()).toHaveLength(4);
});

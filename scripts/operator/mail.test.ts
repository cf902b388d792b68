import { expect, test } from 'vitest';
import type { TestMail } from '../../contract/operator/mails.ts';
import { describeMail, explainFailure } from './mail.ts';

const failed: TestMail = {
  outcome: 'failed',
  answer: null,
  file: null,
  cause: null,
  error_code: null,
  advice: null,
};

test('a failed test mail is one line: the cause, the words behind it, and advice', () => {
  const untrusted = {
    cause: 'certificate not trusted',
    error_code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    advice: 'Name the file of its certificate authority in SMTP_CA.',
  };
  expect(explainFailure({ ...failed, ...untrusted })).toBe(
    'Not sent: certificate not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). ' +
      'Name the file of its certificate authority in SMTP_CA.',
  );
  const answer = '550-No such\r\n550 user\u001b[31m';
  expect(explainFailure({ ...failed, cause: 'recipient refused', answer })).toBe(
    'Not sent: recipient refused (550-No such 550 user?[31m).',
  );
});

test('a member has the state of their mail, and their mails, in rows', () => {
  const mail = {
    state: 'bounced',
    since: '2026-11-22T08:00:00.000Z',
    mails: [
      {
        kind: 'welcome',
        queued_at: '2026-11-22T07:00:00.000Z',
        ended_at: '2026-11-22T07:00:01.000Z',
        state: 'refused',
        cause: 'recipient refused',
      },
    ],
  } as const;
  expect(describeMail({ confirmed_at: null, mail: { ...mail, mails: [...mail.mails] } })).toEqual([
    ['Confirmed', 'no'],
    ['Mail', 'off since 2026-11-22T08:00:00.000Z: bounced'],
    [
      'Mail 2026-11-22T07:00:00.000Z',
      'welcome: refused 2026-11-22T07:00:01.000Z (recipient refused)',
    ],
  ]);
});

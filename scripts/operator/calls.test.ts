import { expect, test } from 'vitest';
import { explainFailure } from './commands.ts';

const failed = { outcome: 'failed', answer: null, cause: null, error_code: null } as const;

test('a failed test is one line: the cause, the words behind it, and advice', () => {
  const untrusted = {
    cause: 'certificate not trusted',
    error_code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    advice: 'Name the file of its certificate authority in SMTP_CA.',
  };
  expect(explainFailure({ ...failed, ...untrusted })).toBe(
    'Not delivered: certificate not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). ' +
      'Name the file of its certificate authority in SMTP_CA.',
  );
  const answer = '550-No such\r\n550 user\u001b[31m';
  expect(explainFailure({ ...failed, cause: 'recipient refused', answer })).toBe(
    'Not delivered: recipient refused (550-No such 550 user?[31m).',
  );
});

test('what was sent, kept or delivered did not fail', () => {
  expect(explainFailure({ outcome: 'sent' })).toBeNull();
  expect(explainFailure({ outcome: 'kept' })).toBeNull();
  expect(explainFailure({ state: 'delivered' })).toBeNull();
  expect(explainFailure({ state: 'given_up' })).not.toBeNull();
});

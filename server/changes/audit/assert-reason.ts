import { Problem } from '../../problem.ts';

/** Broad on purpose: anything that could contain an address. */
const ADDRESS = /[^\s@]@[^\s@]/;

/**
 * Throws Problem invalid_field for a reason that says nothing, that PostgreSQL cannot store, or
 * that has an address: the log is kept even when the member is erased.
 */
export function assertReason(reason: string): void {
  if (reason.trim() === '') throw new Problem('invalid_field', 'Please give a reason.');
  if (/\0|\p{Cs}/u.test(reason))
    throw new Problem('invalid_field', 'The reason has characters that cannot be kept.');
  if (hasAddress(reason))
    throw new Problem(
      'invalid_field',
      'Please give a reason without an e-mail address: the audit log is kept for good.',
    );
}

/** Whether the text may name an e-mail address, which the audit log must not keep. */
export function hasAddress(text: string): boolean {
  return ADDRESS.test(text);
}

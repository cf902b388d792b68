import { expect, test } from 'vitest';
import type { Database } from '../../db/database.ts';
import { openTills } from './open-tills.ts';

const { keysOf } = openTills({
  database: {} as Database,
  shopUrl: null,
  publicUrl: 'https://line.example.com',
  brandName: 'The brand',
  language: 'en',
  secretKey: 'a secret key',
  fetch,
});
const RESTORED = { kind: 'stripe' as const, settings: null, keys: null };

test('what is owed waits for keys of the till, and of another account for its owner', () => {
  // A refund is repeated after any error that is not final.
  expect(() => keysOf({ ...RESTORED, is_chosen: true })).toThrow('enter them again');
  expect(() => keysOf({ ...RESTORED, is_chosen: false })).toThrow(
    expect.objectContaining({ message: 'Its keys are gone.', isFinal: true }),
  );
});

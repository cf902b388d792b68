import type { ReferralVerification } from '../../contract/schemas.ts';
import type { Database } from '../db/database.ts';

export async function verifyReferral(
  _database: Database,
  _request: { code: string; inviterEmail: 'full' | 'masked' },
): Promise<ReferralVerification> {
  throw new Error('not written');
}

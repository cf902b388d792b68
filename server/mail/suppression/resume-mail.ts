import type { Database } from '../../db/database.ts';
import { deleteSuppression, readSuppression, type SuppressionReason } from './store.ts';

/** At the member's wish. An address that bounced or complained stays suppressed. */
export async function resumeMail(
  database: Database,
  secretKey: string,
  identity: string,
): Promise<void> {
  await deleteSuppression(database, secretKey, { identity, reasons: ['stopped'] });
}

/** For the operator: resumes mail whatever the reason was, and returns that reason. */
export async function liftSuppression(
  database: Database,
  secretKey: string,
  identity: string,
): Promise<SuppressionReason | null> {
  const suppression = await readSuppression(database, secretKey, identity);
  const reasons: SuppressionReason[] = ['stopped', 'bounced', 'complained'];
  await deleteSuppression(database, secretKey, { identity, reasons });
  return suppression?.reason ?? null;
}

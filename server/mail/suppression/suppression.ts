/**
 * Addresses that are not written to, kept as keyed hashes alone: they outlive the member, and say nothing to who has
 * the database without the secret key. `identity` is that of an address, equal for all its spellings.
 */
import { createHmac } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { deleteHash, keepHash, readHashes } from './store.ts';

/** stopped: they asked for it · bounced: the mailbox does not exist · complained: they called a mail of ours spam. */
export type SuppressionReason = 'stopped' | 'bounced' | 'complained';

export type Suppression = { readonly reason: SuppressionReason; readonly since: Date };

/** Again and again with the same result. A weaker reason than the one that is kept changes nothing. */
export async function suppressAddress(
  database: Database,
  secretKey: string,
  { identity, reason }: { identity: string; reason: SuppressionReason },
): Promise<void> {
  await keepHash(database, { hash: hashOf(secretKey, identity), reason });
}

/** Takes back what the person asked for; an address that bounced or complained stays suppressed. */
export async function resumeAddress(database: Database, secretKey: string, identity: string): Promise<void> {
  await deleteHash(database, { hash: hashOf(secretKey, identity), reasons: ['stopped'] });
}

/** For the operator, who knows better: takes back any reason, and answers what it was. */
export async function liftSuppression(
  database: Database,
  secretKey: string,
  identity: string,
): Promise<SuppressionReason | null> {
  const suppression = await getSuppression(database, secretKey, identity);
  const reasons: SuppressionReason[] = ['stopped', 'bounced', 'complained'];
  await deleteHash(database, { hash: hashOf(secretKey, identity), reasons });
  return suppression?.reason ?? null;
}

/** Null when the address is written to. */
export async function getSuppression(
  database: Database,
  secretKey: string,
  identity: string,
): Promise<Suppression | null> {
  const [row] = await readHashes(database, [hashOf(secretKey, identity)]);
  return row === undefined ? null : { reason: row.reason, since: row.since };
}

/** Of the identities, those that are not written to: one query for all. */
export async function findSuppressed(
  database: Database,
  secretKey: string,
  identities: readonly string[],
): Promise<Set<string>> {
  const byHash = new Map(identities.map((identity) => [hashOf(secretKey, identity), identity]));
  const rows = byHash.size === 0 ? [] : await readHashes(database, [...byHash.keys()]);
  return new Set(rows.map(({ hash }) => byHash.get(hash) as string));
}

function hashOf(secretKey: string, identity: string): string {
  return createHmac('sha256', secretKey).update('address\0').update(identity).digest('base64url');
}

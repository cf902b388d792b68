/** The hash of an audit entry, worked out without the database: docs/schema.md has the recipe. */
import { createHash } from 'node:crypto';

/** An entry as it is hashed. `details` is JSON as PostgreSQL prints a jsonb; hashes are in hex. */
export type ChainEntry = {
  readonly sequence: number;
  /** ISO 8601 in UTC, with microseconds. */
  readonly at: string;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly actor_name: string;
  readonly action: string;
  readonly subject_kind: string | null;
  readonly subject_id: string | null;
  readonly reason: string | null;
  readonly details: string;
  readonly previous_hash: string;
  readonly hash: string;
};

/** In hexadecimal. `previousHash` is that of the entry before, empty for the first. */
export function hashEntry(entry: ChainEntry, previousHash: string): string {
  const fields = [
    entry.sequence,
    entry.at,
    entry.actor_kind,
    entry.actor_id,
    entry.actor_name,
    entry.action,
    entry.subject_kind,
    entry.subject_id,
    entry.reason,
  ].map((field) => JSON.stringify(field));
  return createHash('sha256')
    .update(Buffer.from(previousHash, 'hex'))
    .update(`[${[...fields, entry.details].join(', ')}]`)
    .digest('hex');
}

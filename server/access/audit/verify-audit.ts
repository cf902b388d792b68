import { createHash } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { inSnapshot } from '../../db/snapshot.ts';
import { type ChainEntry, readChainPages, readHead } from './audit-store.ts';

export type AuditHead = { readonly sequence: number; readonly hash: string };

const PAGE_SIZE = 1_000;

/** A log rewritten from some entry on is consistent: only `kept`, an earlier head, shows it. */
export async function verifyAudit(
  database: Database,
  kept: AuditHead | null = null,
): Promise<{ entries: number; head: AuditHead; difference: string | null }> {
  const faults: string[] = [];
  let entries = 0;
  let last: AuditHead = { sequence: 0, hash: '' };
  await inSnapshot(database, async (snapshot) => {
    for await (const page of readChainPages(snapshot, PAGE_SIZE))
      for (const entry of page) {
        entries += 1;
        const { sequence, hash } = entry;
        if (sequence !== last.sequence + 1)
          faults.push(describeGap(last.sequence + 1, sequence - 1));
        else if (entry.previous_hash !== last.hash)
          faults.push(`entry ${sequence} does not follow on entry ${last.sequence}`);
        if (hashEntry(entry, entry.previous_hash) !== hash)
          faults.push(`entry ${sequence} was changed`);
        if (kept?.sequence === sequence && kept.hash !== hash)
          faults.push(`entry ${sequence} is not the one of which you kept the hash`);
        last = { sequence, hash };
      }
    const head = await readHead(snapshot);
    if (last.sequence < head.sequence) faults.push(describeGap(last.sequence + 1, head.sequence));
    else if (last.sequence > head.sequence)
      faults.push(`entry ${last.sequence} was added past the end`);
    else if (last.hash !== head.hash)
      faults.push(`entry ${last.sequence} is not the last one written`);
    if (kept !== null && kept.sequence > last.sequence)
      faults.push(`entry ${kept.sequence}, of which you kept the hash, is missing`);
  });
  return { entries, head: last, difference: describe(faults) };
}

/** Works without the database: docs/schema.md has the recipe. Hashes are hexadecimal. */
function hashEntry(entry: ChainEntry, previousHash: string): string {
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

function describeGap(first: number, last: number): string {
  return first >= last ? `entry ${first} is missing` : `entries ${first} to ${last} are missing`;
}

function describe(faults: readonly string[]): string | null {
  const [first] = faults;
  if (first === undefined) return null;
  const places = `${faults.length} ${faults.length === 1 ? 'place' : 'places'}`;
  return `The audit log is broken in ${places}: ${faults.slice(0, 3).join('; ')}.`;
}

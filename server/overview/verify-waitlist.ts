import { AUDIT_HEAD, type Verification } from '../../contract/operator/verification.ts';
import { type AuditHead, verifyAudit } from '../access/audit/verify-audit.ts';
import type { Database } from '../db/database.ts';
import { listSizes } from '../drop/stock/store.ts';
import { verifyLine } from '../line/verify/verify-line.ts';

/** `keptHead` is the `head` of an earlier verification. The embedded engine serves nobody else. */
export async function verifyWaitlist(database: Database, keptHead?: string): Promise<Verification> {
  const line = await verifyLine(database);
  const { entries, head, difference } = await verifyAudit(database, readHead(keptHead));
  return {
    members: line.members,
    differences: [
      ...line.differences,
      ...(await findOverallocated(database)),
      ...(difference === null ? [] : [difference]),
    ],
    audit: { entries, head: `${head.sequence}:${head.hash}` },
  };
}

function readHead(text = ''): AuditHead | null {
  const [, sequence, hash] = AUDIT_HEAD.exec(text) ?? [];
  return sequence === undefined || hash === undefined ? null : { sequence: Number(sequence), hash };
}

async function findOverallocated(database: Database): Promise<string[]> {
  const sizes = await listSizes(database);
  return sizes
    .filter((size) => size.available < 0)
    .map(
      ({ name, stock, allocated, offered }) =>
        `Of size ${name} ${allocated} are allocated, ${offered} offered and ${stock} in stock.`,
    );
}

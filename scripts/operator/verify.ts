/** `./waitlist verify`: recomputes the line and the audit log from scratch. */
import { brand } from '../../brand/brand.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { AUDIT_HEAD, type Verification } from '../../contract/operator/verification.ts';
import type { Config } from '../../server/config.ts';
import { openDatabase } from '../../server/db/open.ts';
import { assertCurrent } from '../../server/db/schema/migrate.ts';
import { verifyWaitlist } from '../../server/overview/verify-waitlist.ts';
import { type Options, UsageError } from '../command-line/command.ts';
import { print } from '../command-line/output.ts';
import { callOperator, NotRunning } from './call-operator.ts';

/** Sets exit code 1 if anything differs. */
export async function verify(
  config: Config,
  _words: readonly string[],
  { json, 'audit-head': keptHead }: Options,
): Promise<void> {
  if (keptHead !== undefined && !AUDIT_HEAD.test(keptHead))
    throw new UsageError('--audit-head needs the number, a colon and the hash, as printed before.');
  const verification = await readVerification(config, keptHead);
  const { members, differences, audit } = verification;
  if (!json) for (const difference of differences) console.error(difference);
  print(
    json,
    verification,
    () =>
      `${members} members compared, ${differences.length} differences.\n` +
      `Audit log: ${audit.entries} entries, head ${audit.head}`,
  );
  if (differences.length > 0) process.exitCode = 1;
}

async function readVerification(config: Config, keptHead?: string): Promise<Verification> {
  const query = keptHead === undefined ? '' : `?audit_head=${keptHead}`;
  try {
    const path = operatorPaths.verify + query;
    return await callOperator<Verification>(config, { method: 'POST', path });
  } catch (error) {
    if (!(error instanceof NotRunning)) throw error;
    return verifyStopped(config, keptHead);
  }
}

/** Opens the database itself and changes nothing; the folder lock protects one that is in use. */
async function verifyStopped(
  { dataDir, databaseUrl }: Config,
  keptHead?: string,
): Promise<Verification> {
  const database = await openDatabase({
    dataDir,
    databaseUrl,
    log: () => {},
    skipMigrations: true,
  });
  try {
    await assertCurrent(database);
    return await verifyWaitlist(database, brand, keptHead);
  } finally {
    await database.close();
  }
}

/** `./waitlist verify`: recomputes the line from scratch. */
import { brand } from '../../brand/brand.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Verification } from '../../contract/operator/verification.ts';
import type { Config } from '../../server/config.ts';
import { openDatabase } from '../../server/db/open.ts';
import { assertCurrent } from '../../server/db/schema/migrate.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import type { Options } from '../command-line/command.ts';
import { print } from '../command-line/output.ts';
import { callOperator, NotRunning } from './call-operator.ts';

/** Sets exit code 1 if anything differs. */
export async function verify(
  config: Config,
  _words: readonly string[],
  { json }: Options,
): Promise<void> {
  const verification = await readVerification(config);
  const { members, differences } = verification;
  if (!json) for (const difference of differences) console.error(difference);
  print(
    json,
    verification,
    () => `${members} members compared, ${differences.length} differences.`,
  );
  if (differences.length > 0) process.exitCode = 1;
}

async function readVerification(config: Config): Promise<Verification> {
  try {
    return await callOperator<Verification>(config, { method: 'POST', path: operatorPaths.verify });
  } catch (error) {
    if (!(error instanceof NotRunning)) throw error;
    return verifyStopped(config);
  }
}

/** Opens the database itself and changes nothing; the folder lock protects one that is in use. */
async function verifyStopped({ dataDir, databaseUrl }: Config): Promise<Verification> {
  const database = await openDatabase({
    dataDir,
    databaseUrl,
    log: () => {},
    skipMigrations: true,
  });
  try {
    await assertCurrent(database);
    return await verifyLine(database, brand);
  } finally {
    await database.close();
  }
}

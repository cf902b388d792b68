/** `npm run verify`: recomputes the line from scratch. Exit code 1 if anything differs. */
import { existsSync } from 'node:fs';
import { brand } from '../brand/brand.ts';
import { operatorPaths, type Verification } from '../contract/operator.ts';
import type { Config } from '../server/config.ts';
import { openDatabase } from '../server/db/open.ts';
import { verifyLine } from '../server/line/verify/verify-line.ts';
import {
  callOperator,
  NotRunning,
  OperatorError,
  readSettings,
  reportFailure,
} from './operator/call-operator.ts';

async function verify(config: Config): Promise<Verification> {
  try {
    return await callOperator<Verification>(config, { method: 'POST', path: operatorPaths.verify });
  } catch (error) {
    if (!(error instanceof NotRunning)) throw error;
    return verifyStopped(config);
  }
}

/** Opens the database itself; the folder lock protects one that is in use. */
async function verifyStopped({ dataDir, databaseUrl }: Config): Promise<Verification> {
  if (databaseUrl === null && !existsSync(dataDir))
    throw new OperatorError(`There is no database in ${dataDir}.`);
  const database = await openDatabase({ dataDir, databaseUrl, log: () => {} });
  try {
    return await verifyLine(database, brand);
  } finally {
    await database.close();
  }
}

try {
  const { members, differences } = await verify(readSettings());
  for (const difference of differences) console.error(difference);
  console.log(`${members} members compared, ${differences.length} differences.`);
  if (differences.length > 0) process.exitCode = 1;
} catch (error) {
  reportFailure(error);
}

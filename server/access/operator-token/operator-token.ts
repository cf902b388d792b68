/** The operator's bearer token: OPERATOR_TOKEN, or one in the data folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { loadSecretFile, readSecretFile } from '../../secret-file.ts';
import { StartupError } from '../../startup-error.ts';

type Settings = Pick<Config, 'operatorToken' | 'dataDir'>;

/**
 * Without the setting, creates one in the data folder at the first start. Throws a StartupError if
 * others can read it, or it is invalid or unreadable.
 */
export async function loadOperatorToken({ operatorToken, dataDir }: Settings): Promise<string> {
  return operatorToken ?? (await loadSecretFile(operatorTokenPath(dataDir)));
}

/** Of a server that has run before. Throws a StartupError as well if there is none. */
export async function readOperatorToken({ operatorToken, dataDir }: Settings): Promise<string> {
  if (operatorToken !== null) return operatorToken;
  const path = operatorTokenPath(dataDir);
  if (existsSync(path)) return await readSecretFile(path);
  throw new StartupError(`There is no ${path}: set OPERATOR_TOKEN as the server has it.`);
}

function operatorTokenPath(dataDir: string): string {
  return join(dataDir, 'operator-token');
}

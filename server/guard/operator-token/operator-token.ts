/** The operator's bearer token, in the data folder. */
import { join } from 'node:path';
import { loadSecretFile, readSecretFile } from '../../secret-file.ts';

/** Creates it at the first start. Throws a StartupError if others can read it or it is invalid. */
export async function loadOperatorToken(dataDir: string): Promise<string> {
  return loadSecretFile(operatorTokenPath(dataDir));
}

/** Reads the token of a server that has run before. */
export async function readOperatorToken(dataDir: string): Promise<string> {
  return readSecretFile(operatorTokenPath(dataDir));
}

function operatorTokenPath(dataDir: string): string {
  return join(dataDir, 'operator-token');
}

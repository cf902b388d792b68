/** The operator's bearer token, in the data folder. */
import { join } from 'node:path';
import { loadSecretFile, readSecretFile } from '../secret-file.ts';

/** Makes it at the first start. Throws a StartupError when the file is open to others or holds no token. */
export async function loadOperatorToken(dataDir: string): Promise<string> {
  return loadSecretFile(operatorTokenPath(dataDir));
}

/** The token of a server that has been started before. */
export async function readOperatorToken(dataDir: string): Promise<string> {
  return readSecretFile(operatorTokenPath(dataDir));
}

function operatorTokenPath(dataDir: string): string {
  return join(dataDir, 'operator-token');
}

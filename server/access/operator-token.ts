import { createHash, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Limits } from '../guard/limits/limits.ts';
import type { TokenCheck } from '../http/http-server.ts';
import { Problem } from '../problem.ts';
import { loadSecretFile, readSecretFile } from '../secret-file.ts';
import { StartupError } from '../startup-error.ts';

const ADVICE = 'Delete it and restart the server, which then makes a new one.';

type Settings = Pick<Config, 'operatorToken' | 'dataDir'>;

export async function loadOperatorToken({ operatorToken, dataDir }: Settings): Promise<string> {
  return operatorToken ?? (await loadSecretFile(operatorTokenPath(dataDir), ADVICE));
}

export async function readOperatorToken({ operatorToken, dataDir }: Settings): Promise<string> {
  if (operatorToken !== null) return operatorToken;
  const path = operatorTokenPath(dataDir);
  if (existsSync(path)) return await readSecretFile(path, ADVICE);
  throw new StartupError(`There is no ${path}: set OPERATOR_TOKEN as the server has it.`);
}

export function openTokenCheck(operatorToken: string, limits: Limits): TokenCheck {
  const expected = hash(operatorToken);
  return async (request) => {
    if (timingSafeEqual(hash(bearerToken(request.headers.authorization)), expected)) return;
    limits.countWrongToken(request.ip);
    throw new Problem('not_authorized', 'This needs the operator token.');
  };
}

export function bearerToken(authorization = ''): string {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
}

/** Hashes have equal lengths, as the constant-time comparison requires. */
function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function operatorTokenPath(dataDir: string): string {
  return join(dataDir, 'operator-token');
}

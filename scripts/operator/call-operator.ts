import { once } from 'node:events';
import { type IncomingMessage, request as send } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { Method } from '../../contract/operator/calls/call.ts';
import type {
  CallAnswer,
  CallRequest,
  Given,
  OperatorCall,
} from '../../contract/operator/calls.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { readOperatorToken } from '../../server/access/operator-token.ts';
import { readServerAddress } from '../../server/access/server-address.ts';
import { BackupError } from '../../server/backup/backup-file.ts';
import type { Config } from '../../server/config.ts';
import { FolderInUse } from '../../server/db/embedded/folder-lock.ts';
import { explainFault } from '../../server/http/request-log.ts';
import { codeOf, StartupError } from '../../server/startup-error.ts';

export class OperatorError extends Error {}

export class NotRunning extends OperatorError {}

export type Request = {
  readonly method?: Method;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};

type Target = Pick<Config, 'dataDir' | 'operatorToken'>;

export async function callOperator<Name extends OperatorCall>(
  config: Target,
  name: Name,
  ...[request = {} as CallRequest<Name>]: Given<CallRequest<Name>>
): Promise<CallAnswer<Name>> {
  const [method, path] = name.split(' ') as [Method, keyof typeof operatorPaths];
  const { at = [], query = {}, body } = request;
  const url = fillPath(operatorPaths[path], ...(at as []));
  return await readAnswer(await openOperatorCall(config, url, { method, query, body }));
}

export async function readAnswer<T>(answer: IncomingMessage): Promise<T> {
  if (answer.statusCode !== 204) return (await json(answer)) as T;
  answer.resume();
  return undefined as T;
}

/** The answer, to be read. It is waited for as long as it takes, where fetch waits five minutes. */
export async function openOperatorCall(
  { dataDir, operatorToken }: Target,
  path: string,
  { body, method, query = {} }: Request = {},
): Promise<IncomingMessage> {
  const address = await readServerAddress(dataDir);
  if (address === null)
    throw new NotRunning(`No server is running on ${dataDir}. Start it with: npm start`);
  const token = await readOperatorToken({ dataDir, operatorToken });
  const url = new URL(address + path);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  const call = send(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
  }).end(body === undefined ? '' : JSON.stringify(body));
  const response = once(call, 'response').catch((error: unknown) => {
    if (codeOf(error) === 'ECONNREFUSED')
      throw new NotRunning(`The server at ${address} does not answer.`);
    throw new OperatorError(`The server at ${address} closed the connection before it answered.`);
  });
  const [answer] = (await response) as [IncomingMessage];
  const { statusCode: status = 0 } = answer;
  if (status < 300) return answer;
  const { detail } = (await json(answer).catch(() => ({}))) as { detail?: unknown };
  if (status === 401 || status === 403)
    throw new OperatorError(
      `The server at ${address} refused the operator's token (${status}): set ` +
        'OPERATOR_TOKEN as the server has it, or restart the server if its file was changed.',
    );
  if (typeof detail !== 'string')
    throw new OperatorError(`The server answered with status ${status}.`);
  // The API names a field as programs have it.
  throw new OperatorError(
    detail.replace(/^The field "(?:[\w-]+\.)*(\w+)"/, (_, name) => name.replaceAll('_', ' ')),
  );
}

/** How long a server that starts may hold the database before it answers. */
const START_MS = 60_000;
const ASK_AGAIN_MS = 500;

/** The answer of the running server, otherwise of the database. One that starts is waited for. */
export async function askOrOpen<T>(ask: () => Promise<T>, open: () => Promise<T>): Promise<T> {
  const end = Date.now() + START_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof NotRunning)) throw error;
    }
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof FolderInUse) || Date.now() > end) throw error;
    }
    await setTimeout(ASK_AGAIN_MS);
  }
}

export function reportFailure(error: unknown): void {
  console.error(
    explainPermission(error) ?? (isExpected(error) ? error.message : explainFault(error)),
  );
  process.exitCode = 1;
}

function explainPermission(error: unknown): string | null {
  const refusal = error instanceof StartupError ? error.cause : error;
  const { code, path, syscall } = (refusal ?? {}) as NodeJS.ErrnoException;
  if ((code !== 'EACCES' && code !== 'EPERM') || path === undefined) return null;
  return (
    `You have no permission for ${path} (${syscall}): ` +
    'run this as the user that runs the server.'
  );
}

export function isExpected(error: unknown): error is Error {
  return (
    error instanceof OperatorError || error instanceof StartupError || error instanceof BackupError
  );
}

/** Whether the server closed the connection before its answer was whole. */
export function isCutShort(error: unknown): boolean {
  return ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(codeOf(error));
}

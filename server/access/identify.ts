/** Finds out who calls: a session, an API key or the operator token. */
import type { FastifyRequest } from 'fastify';
import { UNATTENDED_HEADER } from '../../contract/operator/paths.ts';
import type { Database } from '../db/database.ts';
import type { Limits } from '../guard/limits/limits.ts';
import type { TokenCheck } from '../http/http-server.ts';
import { Problem } from '../problem.ts';
import { type Access, type Caller, crossSite, type Identify } from './actor.ts';
import { findKey, isKey } from './keys/api-keys.ts';
import { isFromOurPage, isReading } from './same-origin.ts';
import { hashSecret } from './secrets.ts';
import { readSessionCookie } from './session-cookie-rules.ts';
import { findSession } from './sign-in/session-store.ts';

type IdentifyOptions = {
  readonly database: Pick<Database, 'kysely'>;
  readonly publicUrl: string;
  readonly limits: Pick<Limits, 'countWrongToken'>;
  readonly checkToken: TokenCheck;
};

const EVERYTHING: ReadonlySet<Access> = new Set(['read', 'write', 'export', 'redeem', 'owner']);
const OWNER: ReadonlySet<Access> = new Set([...EVERYTHING, 'self']);
const VIEWER: ReadonlySet<Access> = new Set(['read', 'self']);

const TOKEN: Caller = {
  actor: { kind: 'token', id: null, name: 'operator token' },
  may: EVERYTHING,
  session: null,
};

export function openIdentify(options: IdentifyOptions): Identify {
  const { database, publicUrl, limits, checkToken } = options;

  async function byKey(request: FastifyRequest, token: string): Promise<Caller> {
    const key = await findKey(database, token);
    if (key === null) {
      limits.countWrongToken(request.ip);
      throw new Problem('not_authorized', 'This API key is unknown or was revoked.');
    }
    const actor = { kind: 'api_key', id: key.id, name: key.name } as const;
    return { actor, may: new Set(key.scopes), session: null };
  }

  async function bySession(request: FastifyRequest): Promise<Caller> {
    const { method, headers } = request;
    const secret = readSessionCookie(headers.cookie, publicUrl);
    if (secret === null)
      throw new Problem('not_authorized', 'Please sign in, or send an operator token or API key.');
    // Browsers attach the cookie to any request: a change must prove that our page sent it.
    if (!isReading(method) && !isFromOurPage({ method, headers, publicUrl })) throw crossSite();
    const isUnattended = headers[UNATTENDED_HEADER] !== undefined;
    const session = await findSession(database.kysely, {
      secretHash: hashSecret(secret),
      isUnattended,
    });
    if (session === null)
      throw new Problem('not_authorized', 'Your session has ended. Please sign in again.');
    const { id, name, role } = session.operator;
    const may = role === 'owner' ? OWNER : VIEWER;
    return { actor: { kind: 'operator', id, name }, may, session };
  }

  return async (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined) return await bySession(request);
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
    if (isKey(token)) return await byKey(request, token);
    await checkToken(request);
    return TOKEN;
  };
}

import type { FastifyRequest } from 'fastify';
import type { OperatorRole } from '../../contract/operator/access.ts';
import type { Access } from '../../contract/operator/calls/call.ts';
import { UNATTENDED_HEADER } from '../../contract/operator/paths.ts';
import type { TokenCheck } from '../http/http-server.ts';
import type { Platform } from '../module.ts';
import { Problem } from '../problem.ts';
import { type Caller, crossSite, type Identify } from './actor.ts';
import { readCookie } from './cookie-rules.ts';
import { bearerToken } from './operator-token.ts';
import { isFromOurPage, isReading } from './same-origin.ts';
import { findKey, findSession, isKey } from './secret-store.ts';

const EVERYTHING: readonly Access[] = ['read', 'write', 'export', 'redeem', 'owner'];
const OF_ROLE: Readonly<Record<OperatorRole, ReadonlySet<Access>>> = {
  owner: new Set([...EVERYTHING, 'self']),
  viewer: new Set(['read', 'self']),
  door: new Set(['redeem', 'self']),
};

const NO_KEY = {
  unknown: 'This API key is unknown or was revoked.',
  ended: 'This API key has ended. Ask an owner for a new one.',
  suspended: 'This API key has ended: whoever made it is no owner any more.',
} as const;

const TOKEN: Caller = {
  actor: { kind: 'token', id: null, name: 'operator token' },
  may: new Set(EVERYTHING),
  session: null,
};

export function openIdentify(
  { database: { kysely }, config: { publicUrl }, limits }: Platform,
  checkToken: TokenCheck,
): Identify {
  async function byKey(request: FastifyRequest, token: string): Promise<Caller> {
    const key = await findKey(kysely, token);
    if (key?.state !== 'active') {
      limits.countWrongToken(request.ip);
      throw new Problem('not_authorized', NO_KEY[key?.state ?? 'unknown']);
    }
    const actor = { kind: 'api_key', id: key.id, name: key.name } as const;
    return { actor, may: new Set(key.scopes), session: null };
  }

  async function bySession({ method, headers }: FastifyRequest): Promise<Caller> {
    const secret = readCookie('session', headers.cookie, publicUrl);
    if (secret === null)
      throw new Problem('not_authorized', 'Please sign in, or send an operator token or API key.');
    // Browsers attach the cookie to any request: a change must prove that our page sent it.
    if (!isReading(method) && !isFromOurPage({ method, headers, publicUrl })) throw crossSite();
    const isUnattended = headers[UNATTENDED_HEADER] !== undefined;
    const session = await findSession(kysely, secret, { isUnattended });
    if (session === null)
      throw new Problem('not_authorized', 'Your session has ended. Please sign in again.');
    const { id, name, role } = session.operator;
    return { actor: { kind: 'operator', id, name }, may: OF_ROLE[role], session };
  }

  return async (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined) return await bySession(request);
    const token = bearerToken(authorization);
    if (isKey(token)) return await byKey(request, token);
    await checkToken(request);
    return TOKEN;
  };
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../contract/operator/access.ts';
import { signInPath } from '../../contract/operator/paths.ts';
import { explainCopy } from '../db/possible-copy.ts';
import type { HttpServer } from '../http/http-server.ts';
import { readAddress } from '../mail/email-rules.ts';
import type { Platform } from '../module.ts';
import { Problem } from '../problem.ts';
import { ownSession } from './actor.ts';
import { addCall } from './add-call.ts';
import { readCookie, writeCookie } from './cookie-rules.ts';
import { describeDevice } from './device-rules.ts';
import type { Passkeys } from './passkeys.ts';
import { deleteSession } from './secret-store.ts';
import {
  type Arrival,
  createLinkFor,
  type SignIn,
  signInByLink,
  signInByPasskey,
} from './sign-in.ts';
import type { SignInMails } from './sign-in-mails.ts';

export function addSignInRoutes(
  server: HttpServer,
  { config: { publicUrl }, database, limits, secretKey }: Platform,
  { passkeys, mails }: { readonly passkeys: Passkeys; readonly mails: SignInMails },
): void {
  const arrivalOf = ({ headers }: FastifyRequest): Arrival => ({
    device: describeDevice(headers['user-agent']),
    previousSecret: readCookie('session', headers.cookie, publicUrl),
  });

  const deviceOf = ({ headers }: FastifyRequest, identity: string) =>
    readDevice({ secretKey, identity }, readCookie('device', headers.cookie, publicUrl));

  /** Counts failures alone: nothing that strangers send may refuse a valid link or passkey. */
  const countRefused = (request: FastifyRequest) => (error: unknown) => {
    const code = error instanceof Problem ? error.code : null;
    if (code === 'not_authorized') limits.countWrongToken(request.ip);
    if (code === 'conflict') limits.count('unreadable-passkey', request.ip);
    throw error;
  };

  function welcome(request: FastifyRequest, reply: FastifyReply, signIn: SignIn): SignedIn {
    const { operator, secret } = signIn;
    const { identity } = readAddress(operator.email);
    const device = deviceOf(request, identity) ?? undefined;
    reply.header('set-cookie', [
      writeCookie('session', secret, publicUrl),
      writeCookie('device', signDevice({ secretKey, identity }, device), publicUrl),
    ]);
    return { operator, needs_owner: false };
  }

  addCall(server, 'POST signIn', async (request, reply) => {
    const { token, owner = null } = request.body;
    const signIn = await signInByLink(database, token, owner, arrivalOf(request)).catch(
      countRefused(request),
    );
    return signIn === null
      ? { operator: null, needs_owner: true }
      : welcome(request, reply, signIn);
  });

  addCall(server, 'POST signInMail', async (request) => {
    const address = readAddress(request.body.email);
    const { identity } = address;
    const device = deviceOf(request, identity);
    limits.countSignInMail(device === null ? { ip: request.ip, identity } : { device });
    mails.sendLink(address);
    return {};
  });

  addCall(server, 'POST signInLinks', async ({ actor, body }) => {
    const { secret, ...made } = await createLinkFor(database, body.email ?? null, actor);
    return { ...made, link: publicUrl + signInPath(secret) };
  });

  addCall(server, 'POST passkeyChallenge', async () => await passkeys.challenge());

  addCall(server, 'POST passkeySignIn', async (request, reply) => {
    const { credential } = request.body;
    const operator = await passkeys.readOperator(credential).catch(countRefused(request));
    const signIn = await signInByPasskey(database, operator, arrivalOf(request));
    return welcome(request, reply, signIn);
  });

  addCall(server, 'GET me', async ({ actor: { kind, name }, session }) => ({
    kind,
    name,
    role: session?.operator.role ?? (kind === 'token' ? 'owner' : null),
    session,
    passkey_origin: passkeys.origin,
    may_be_copy: await explainCopy(database),
  }));

  addCall(server, 'DELETE session', async (request, reply) => {
    const { id, operator } = ownSession(request);
    await deleteSession(database.kysely, operator.id, id);
    return reply
      .header('set-cookie', writeCookie('session', null, publicUrl))
      .code(204)
      .send();
  });
}

type Known = { readonly secretKey: string; readonly identity: string };

/** A random id with an HMAC over it and the address: it opens nothing, but has its own limits. */
function signDevice(by: Known, id: string = randomBytes(16).toString('base64url')): string {
  return `${id}.${macOf(by, id)}`;
}

function readDevice(by: Known, token: string | null): string | null {
  const [id = '', mac = ''] = token?.split('.') ?? [];
  const [expected, given] = [Buffer.from(macOf(by, id)), Buffer.from(mac)];
  return given.length === expected.length && timingSafeEqual(expected, given) ? id : null;
}

function macOf({ secretKey, identity }: Known, id: string): string {
  return createHmac('sha256', secretKey).update(`device\0${id}\0${identity}`).digest('base64url');
}

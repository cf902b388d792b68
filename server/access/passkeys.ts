import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Operator } from '../../contract/operator/access.ts';
import { isLoopback } from '../http/admission/client-address.ts';
import type { Platform } from '../module.ts';
import { conflict, Problem } from '../problem.ts';
import { openAccessChanges } from './change-access.ts';
import {
  countPasskeyUse,
  findOperator,
  findPasskey,
  insertPasskey,
  readPasskeys,
} from './operator-store.ts';
import { isOpenChallenge, signChallenge } from './passkey-challenge.ts';
import { spendChallenge } from './secret-store.ts';
import { readName } from './sign-in.ts';

type Json = Readonly<Record<string, unknown>>;

export type Passkeys = ReturnType<typeof openPasskeys>;

export function openPasskeys({ database, config, brand, secretKey }: Platform) {
  const { kysely } = database;
  const change = openAccessChanges(database, 'passkey');
  const possible = passkeyOriginOf(config.publicUrl);

  function requireOrigin(): PasskeyOrigin {
    if (possible !== null) return possible;
    throw conflict('Passkeys need a public address with https, or this machine: set PUBLIC_URL.');
  }

  function expectations(operatorId: string | null) {
    const { origin, domain } = requireOrigin();
    return {
      expectedOrigin: origin,
      expectedRPID: domain,
      expectedChallenge: async (challenge: string) =>
        isOpenChallenge({ secretKey, operatorId }, challenge) &&
        (await spendChallenge(kysely, challenge)),
    };
  }

  return {
    origin: possible?.origin ?? null,
    async challenge(): Promise<Json> {
      const { generateAuthenticationOptions } = await loadLibrary();
      const options = await generateAuthenticationOptions({
        rpID: requireOrigin().domain,
        challenge: signChallenge({ secretKey, operatorId: null }),
        userVerification: 'required',
      });
      return { ...options };
    },
    /** Throws Problem not_authorized, or conflict for an answer that the server cannot check. */
    async readOperator(json: Json): Promise<Operator> {
      const expected = expectations(null);
      const { verifyAuthenticationResponse } = await loadLibrary();
      const response = json as unknown as AuthenticationResponseJSON;
      const passkey = await findPasskey(kysely, response.id);
      if (passkey === null) throw refused();
      let isOwn = false;
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expected,
        response,
        expectedChallenge: async (challenge) => {
          isOwn = await expected.expectedChallenge(challenge);
          return isOwn;
        },
        credential: {
          id: passkey.credential_id,
          publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
          counter: passkey.sign_count,
        },
      }).catch((cause: unknown) => {
        throw isOwn ? new Problem('conflict', NOT_CHECKED, { cause }) : refused(cause);
      });
      const use = { id: passkey.id, from: passkey.sign_count, to: authenticationInfo.newCounter };
      if (!verified || !(await countPasskeyUse(kysely, use))) throw refused();
      const operator = await findOperator(kysely, { id: passkey.operator_id });
      if (operator === null) throw refused();
      return operator;
    },
    async invite({ id, email, name }: Operator): Promise<Json> {
      const { generateRegistrationOptions } = await loadLibrary();
      const options = await generateRegistrationOptions({
        rpName: brand.name,
        rpID: requireOrigin().domain,
        userID: Uint8Array.from(Buffer.from(id)),
        userName: email,
        userDisplayName: name,
        challenge: signChallenge({ secretKey, operatorId: id }),
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: (await readPasskeys(kysely, id)).map(
          ({ credential_id, transports }) => ({ id: credential_id, transports }),
        ),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      return { ...options };
    },
    async add(
      { id: operatorId, name: operatorName }: Operator,
      { name: text, credential: json }: { readonly name: string; readonly credential: Json },
    ) {
      const expected = expectations(operatorId);
      const name = readName(text);
      const { verifyRegistrationResponse } = await loadLibrary();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        ...expected,
        response: json as unknown as RegistrationResponseJSON,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch((cause: unknown) => {
        throw new Problem('conflict', NOT_ADDED, { cause });
      });
      if (!verified) throw conflict(NOT_ADDED);
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      const actor = { kind: 'operator', id: operatorId, name: operatorName } as const;
      return await change(actor, 'add-passkey', async (transaction) => {
        const subject = await insertPasskey(transaction, {
          credential_id: id,
          operator_id: operatorId,
          name,
          public_key: Buffer.from(publicKey).toString('base64url'),
          sign_count: counter,
          transports,
        });
        if (subject === null) throw conflict('This passkey was added before.');
        return { subject, summary: `Added the passkey "${name}".` };
      });
    },
  };
}

/** COSE numbers of EdDSA, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257];
const NOT_CHECKED = 'This passkey could not be checked. Please sign in by mail instead.';
const NOT_ADDED = 'This passkey could not be added. Please try again.';

function refused(cause?: unknown): Problem {
  return new Problem('not_authorized', 'This passkey is not accepted here.', { cause });
}

/** Loading the library takes longer than most starts of the server. */
function loadLibrary() {
  return import('@simplewebauthn/server');
}

type PasskeyOrigin = { readonly origin: string; readonly domain: string };

/** Null where there can be none. A loopback address is no domain: there it is localhost. */
export function passkeyOriginOf(publicUrl: string): PasskeyOrigin | null {
  const { protocol, hostname, port } = new URL(publicUrl);
  const plain = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(plain) !== 0) {
    if (protocol !== 'http:' || !isLoopback(plain)) return null;
    return { origin: `http://localhost${port && `:${port}`}`, domain: 'localhost' };
  }
  const isAllowed = protocol === 'https:' || /(^|\.)localhost$/.test(hostname);
  return isAllowed ? { origin: publicUrl, domain: hostname } : null;
}

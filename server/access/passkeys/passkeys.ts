/** Passkeys: @simplewebauthn/server checks them, one-time secrets are their challenges. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { recordAccess } from '../../changes/audit/record-access.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { findOperator, type OperatorRecord } from '../people/operator-store.ts';
import { drawSecret, hashSecret } from '../secrets.ts';
import { insertSecret, type SecretPurpose, takeSecret } from '../sign-in/one-time-secret-store.ts';
import { readName } from '../sign-in/sign-in.ts';
import { type PasskeyOrigin, passkeyOriginOf } from './passkey-origin.ts';
import {
  countPasskeyUse,
  findPasskey,
  insertPasskey,
  type ListedPasskey,
  readPasskeys,
} from './passkey-store.ts';

/** The JSON of WebAuthn. The library checks its shape. */
type Json = Readonly<Record<string, unknown>>;

export type Passkeys = {
  /** Null where the public address allows none: all other functions throw Problem conflict. */
  readonly origin: string | null;
  /** Options of `navigator.credentials.get`, for any passkey of this site. */
  challenge(): Promise<Json>;
  /** The operator whose passkey answered the challenge. Throws Problem not_authorized. */
  readOperator(credential: Json): Promise<OperatorRecord>;
  /** Options of `navigator.credentials.create`. */
  invite(operator: OperatorRecord): Promise<Json>;
  /** Throws Problem invalid_field or conflict. */
  add(
    operator: OperatorRecord,
    passkey: { readonly name: string; readonly credential: Json },
  ): Promise<ListedPasskey>;
};

type PasskeyOptions = {
  readonly database: Database;
  readonly publicUrl: string;
  readonly brandName: string;
};

export function openPasskeys({ database, publicUrl, brandName }: PasskeyOptions): Passkeys {
  const { kysely } = database;
  const place = passkeyOriginOf(publicUrl);

  function requirePlace(): PasskeyOrigin {
    if (place !== null) return place;
    throw new Problem(
      'conflict',
      'Passkeys need a public address with https, or this machine: set PUBLIC_URL.',
    );
  }

  async function drawChallenge(purpose: SecretPurpose, operatorId: string | null) {
    const secret = drawSecret();
    await insertSecret(kysely, { secretHash: hashSecret(secret), purpose, operatorId });
    return Buffer.from(secret, 'base64url');
  }

  /** Uses the challenge up. */
  function isOwnChallenge(purpose: SecretPurpose, operatorId: string | null) {
    return async (challenge: string) => {
      const found = await takeSecret(kysely, { secretHash: hashSecret(challenge), purpose });
      return found !== null && found.operatorId === operatorId;
    };
  }

  return {
    origin: place?.origin ?? null,
    async challenge() {
      const { generateAuthenticationOptions } = await loadLibrary();
      const options = await generateAuthenticationOptions({
        rpID: requirePlace().domain,
        challenge: await drawChallenge('passkey', null),
        userVerification: 'required',
      });
      return { ...options };
    },
    async readOperator(json) {
      const { origin, domain } = requirePlace();
      const { verifyAuthenticationResponse } = await loadLibrary();
      const response = json as unknown as AuthenticationResponseJSON;
      const passkey = await findPasskey(kysely, response.id);
      if (passkey === null) throw refused();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: isOwnChallenge('passkey', null),
        expectedOrigin: origin,
        expectedRPID: domain,
        credential: {
          id: passkey.credentialId,
          publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.signCount,
        },
      }).catch((cause: unknown) => {
        throw refused(cause);
      });
      const use = { id: passkey.id, from: passkey.signCount, to: authenticationInfo.newCounter };
      if (!verified || !(await countPasskeyUse(kysely, use))) throw refused();
      const operator = await findOperator(kysely, { id: passkey.operatorId });
      if (operator === null) throw refused();
      return operator;
    },
    async invite({ id, email, name }) {
      const { generateRegistrationOptions } = await loadLibrary();
      const options = await generateRegistrationOptions({
        rpName: brandName,
        rpID: requirePlace().domain,
        userID: Uint8Array.from(Buffer.from(id)),
        userName: email,
        userDisplayName: name,
        challenge: await drawChallenge('new_passkey', id),
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: (await readPasskeys(kysely, id)).map(
          ({ credentialId, transports }) => ({
            id: credentialId,
            transports,
          }),
        ),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      return { ...options };
    },
    async add({ id: operatorId, name: operatorName }, { name, credential: json }) {
      const { origin, domain } = requirePlace();
      const plainName = readName(name);
      const { verifyRegistrationResponse } = await loadLibrary();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: json as unknown as RegistrationResponseJSON,
        expectedChallenge: isOwnChallenge('new_passkey', operatorId),
        supportedAlgorithmIDs: ALGORITHMS,
        expectedOrigin: origin,
        expectedRPID: domain,
      }).catch((cause: unknown) => {
        throw new Problem('conflict', NOT_ADDED, { cause });
      });
      if (!verified) throw new Problem('conflict', NOT_ADDED);
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      return await inTransaction(database, async (transaction) => {
        const added = await insertPasskey(transaction, {
          credentialId: id,
          operatorId,
          name: plainName,
          publicKey: Buffer.from(publicKey).toString('base64url'),
          signCount: counter,
          transports,
        });
        if (added === null) throw new Problem('conflict', 'This passkey was added before.');
        await recordAccess(transaction, {
          actor: { kind: 'operator', id: operatorId, name: operatorName },
          action: 'add-passkey',
          subject: { kind: 'passkey', id: added.id },
          summary: `Added the passkey "${plainName}".`,
        });
        return added;
      });
    },
  };
}

/** EdDSA, ES256 and RS256, as COSE numbers them: what passkeys use. */
const ALGORITHMS = [-8, -7, -257];
const NOT_ADDED = 'This passkey could not be added. Please try again.';

function refused(cause?: unknown): Problem {
  return new Problem('not_authorized', 'This passkey is not accepted here.', { cause });
}

/** When first needed: loading it takes longer than most starts of the server. */
function loadLibrary() {
  return import('@simplewebauthn/server');
}

/** An authenticator in software: passkeys with real keys, which sign as a browser hands it on. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

type Json = Readonly<Record<string, unknown>>;
type KeyPair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
type Algorithm = {
  readonly makeKeys: () => KeyPair;
  /** The public key as COSE writes it. */
  readonly cose: (jwk: Readonly<Record<string, unknown>>) => [number, number | Uint8Array][];
  readonly hash: string | null;
};

const bytes = (value: unknown) => new Uint8Array(Buffer.from(String(value), 'base64url'));

export const ALGORITHMS = {
  EdDSA: {
    makeKeys: () => generateKeyPairSync('ed25519'),
    cose: ({ x }) => [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(x)],
    ],
    hash: null,
  },
  ES256: {
    makeKeys: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    cose: ({ x, y }) => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ],
    hash: 'sha256',
  },
  RS256: {
    makeKeys: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    cose: ({ n, e }) => [
      [1, 3],
      [3, -257],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ],
    hash: 'sha256',
  },
} satisfies Readonly<Record<string, Algorithm>>;

const PRESENT_AND_VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;

export function createPasskey(algorithm: keyof typeof ALGORITHMS, origin: string) {
  const { makeKeys, cose, hash }: Algorithm = ALGORITHMS[algorithm];
  const { publicKey, privateKey } = makeKeys();
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let uses = 0;

  const clientData = (type: string, challenge: unknown) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  function authenticatorData(flags: number, ...rest: readonly Uint8Array[]): Buffer {
    uses += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(uses);
    const domain = createHash('sha256').update(new URL(origin).hostname).digest();
    return Buffer.concat([domain, Buffer.from([flags]), counter, ...rest]);
  }

  const credential = (response: Json): Json => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    /** The answer to the options of a new passkey. */
    register({ challenge }: Json): Json {
      const key = isoCBOR.encode(new Map(cose(publicKey.export({ format: 'jwk' }))));
      const length = Buffer.from([0, credentialId.length]);
      const authData = authenticatorData(
        PRESENT_AND_VERIFIED | HAS_CREDENTIAL,
        Buffer.alloc(16),
        length,
        credentialId,
        key,
      );
      const attestation = isoCBOR.encode(
        new Map<string, Parameters<typeof isoCBOR.encode>[0]>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(authData)],
        ]),
      );
      return credential({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: Buffer.from(attestation).toString('base64url'),
      });
    },
    /** The answer to the options of a sign-in, with its signature as `change` leaves it. */
    signIn({ challenge }: Json, change = (signature: Buffer) => signature): Json {
      const client = clientData('webauthn.get', challenge);
      const authData = authenticatorData(PRESENT_AND_VERIFIED);
      const signed = Buffer.concat([authData, createHash('sha256').update(client).digest()]);
      const signature = sign(hash, signed, privateKey);
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: change(signature).toString('base64url'),
      });
    },
  };
}

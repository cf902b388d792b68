/** Makes certificates, as Node cannot: a self-signed one is an authority of its own (RFC 5280). */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const DAY_MS = 86_400_000;

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const DNS_NAME = 0x82;
const [VERSION, EXTENSIONS] = [0xa0, 0xa3];

const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');
const IS_AUTHORITY = Buffer.from('30030101ff', 'hex');

/** PEM of a new key and its certificate, valid until tomorrow for the host. */
export function makeCertificate({ host = 'localhost' } = {}): { key: string; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, text(UTF8_STRING, host))));
  const body = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    der(SEQUENCE, time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      EXTENSIONS,
      der(
        SEQUENCE,
        der(SEQUENCE, BASIC_CONSTRAINTS, der(OCTET_STRING, IS_AUTHORITY)),
        der(SEQUENCE, SUBJECT_ALT_NAME, der(OCTET_STRING, der(SEQUENCE, text(DNS_NAME, host)))),
      ),
    ),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, privateKey));
  const lines = der(SEQUENCE, body, algorithm, signature)
    .toString('base64')
    .match(/.{1,64}/g);
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines?.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function text(tag: number, value: string): Buffer {
  return der(tag, Buffer.from(value));
}

/** `YYMMDDHHMMSSZ` */
function time(ms: number): Buffer {
  return text(UTC_TIME, `${new Date(ms).toISOString().slice(2, 19).replace(/\D/g, '')}Z`);
}

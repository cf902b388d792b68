export const CONNECTION_FAILURES = [
  'host not found',
  'host not reachable',
  'connection refused',
  'connection lost',
  'no answer in time',
  'TLS failed',
  'certificate not trusted',
  'certificate expired',
  'certificate of another host',
] as const;
export type ConnectionFailure = (typeof CONNECTION_FAILURES)[number];

const BY_CODE: Readonly<Record<string, ConnectionFailure>> = {
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  EHOSTUNREACH: 'host not reachable',
  ENETUNREACH: 'host not reachable',
  ENETDOWN: 'host not reachable',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  ETIMEDOUT: 'no answer in time',
  CERT_HAS_EXPIRED: 'certificate expired',
  CERT_NOT_YET_VALID: 'certificate expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate of another host',
};
const CERTIFICATE_CODE = /^(?:CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|PATH_LEN)/;
const TLS_CODE = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/;

export function connectionFailureOf(code: string): ConnectionFailure | null {
  const sentence = BY_CODE[code];
  if (sentence !== undefined) return sentence;
  if (CERTIFICATE_CODE.test(code)) return 'certificate not trusted';
  return TLS_CODE.test(code) ? 'TLS failed' : null;
}

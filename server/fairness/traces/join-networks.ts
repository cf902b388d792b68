/** Hashes the network of a join under keys that rotate, so that no table names a network. */
import { createHmac, hash, randomBytes } from 'node:crypto';
import { HOUR_MS } from '../../durations.ts';
import { isLoopback, limitKeyOf, namesLoopback } from '../../http/admission/client-address.ts';
import type { Platform } from '../../module.ts';
import { readNewestSalt } from './trace-store.ts';

export type JoinNetworks = {
  /** Null where the network of a visitor is not known. */
  hashOf(ip: string): number | null;
  close(): void;
};

const NO_NETWORKS: JoinNetworks = { hashOf: () => null, close: () => {} };

/** Without limits nothing is stored either, because tests and benchmarks join in masses. */
export async function openJoinNetworks({
  config,
  database,
  secretKey,
}: Platform): Promise<JoinNetworks> {
  if (!config.isLimiting) return NO_NETWORKS;
  const isLoopbackProxy = namesLoopback(config.trustProxy);
  const readPrefix = async () =>
    createHmac('sha256', secretKey)
      .update('join traces')
      .update(await readNewestSalt(database, randomBytes(32)))
      .digest('base64url');
  let prefix = await readPrefix();
  const renewal = setInterval(async () => {
    prefix = await readPrefix().catch(() => prefix);
  }, HOUR_MS).unref();
  return {
    hashOf(ip) {
      const network = networkOf(ip, isLoopbackProxy);
      // Nothing is cached, so that the memory of a server names no network either.
      return network === null ? null : hash32(prefix + network);
    },
    close: () => clearInterval(renewal),
  };
}

/** Null behind a local proxy that no setting names: all visitors would have one address. */
export function networkOf(ip: string, isLoopbackProxy: boolean): string | null {
  if (isLoopback(ip) && !isLoopbackProxy) return null;
  const network = limitKeyOf(ip);
  return network === 'unknown' ? null : network;
}

/** An HMAC per text takes three times as long, and a Buffer four times. */
function hash32(text: string): number {
  const bytes = hash('sha256', text, 'binary');
  const byte = (index: number) => bytes.charCodeAt(index);
  return (byte(0) << 24) | (byte(1) << 16) | (byte(2) << 8) | byte(3);
}

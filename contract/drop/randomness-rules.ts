/** Randomness that nobody has when the draw is announced: a future round, or a hashed seed. */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { hashHex } from './draw-hash-rules.ts';
import type { Randomness } from './draw-record.ts';

/** Scheme bls-unchained-g1-rfc9380: signatures on G1, the key on G2. */
const QUICKNET = {
  chainHash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d' +
    '1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8' +
    '991ef5ece45a',
  genesisMs: 1_692_803_367_000,
  periodMs: 3_000,
} as const;

/** Anybody can run a relay: what it answers is checked by its signature. */
export const PUBLIC_RELAY = 'https://api.drand.sh';

export function quicknetPath(round: number): string {
  return `/${QUICKNET.chainHash}/public/${round}`;
}

/** When the round is published, in milliseconds since 1970. */
export function timeOfRound(round: number): number {
  return QUICKNET.genesisMs + (round - 1) * QUICKNET.periodMs;
}

export function roundAt(moment: number): number {
  return Math.max(1, Math.ceil((moment - QUICKNET.genesisMs) / QUICKNET.periodMs) + 1);
}

/** 32 bytes in hexadecimal, from the round's signature or the seed; null for another one. */
export function randomnessFrom(announced: Randomness, evidence: string): string | null {
  if (announced.source === 'quicknet')
    return isSignatureOf(announced.round, evidence) ? hashHex(evidence) : null;
  if (announced.source === 'none' || !/^[0-9a-f]{64}$/.test(evidence)) return null;
  return hashHex(evidence) === announced.commitment ? evidence : null;
}

export function isSignatureOf(round: number, signature: string): boolean {
  if (!/^[0-9a-f]{96}$/.test(signature)) return false;
  const message = new Uint8Array(8);
  new DataView(message.buffer).setBigUint64(0, BigInt(round));
  const { hash, verify } = bls12_381.shortSignatures;
  try {
    return verify(hexToBytes(signature), hash(sha256(message)), hexToBytes(QUICKNET.publicKey));
  } catch {
    return false; // not a point of the curve
  }
}

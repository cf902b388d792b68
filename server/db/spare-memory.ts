/**
 * On a small machine the embedded engine stays as it was first compiled: optimising one of its functions alone takes 600 MB for some seconds,
 * which a machine of 512 MB answers by ending the server. It is slower then: decision 0025.
 */
import { totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';

const ENOUGH_BYTES = 1024 ** 3;

/** Call before the engine is loaded. */
export function spareMemoryWhereShort(): void {
  if (isShort(totalmem(), process.constrainedMemory())) spareMemory();
}

/** Of a machine's memory and of what a container may use of it, 0 where nobody has said. */
export function isShort(totalBytes: number, allowedBytes: number): boolean {
  return Math.min(totalBytes, allowedBytes || totalBytes) < ENOUGH_BYTES;
}

/** From now on, and for the whole process. */
export function spareMemory(): void {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
}

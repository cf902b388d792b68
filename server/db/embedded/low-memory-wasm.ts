/** Optimising the embedded engine takes 600 MB for some seconds (decision 0058). */
import { totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';

const ENOUGH_BYTES = 1024 ** 3;

export function limitMemoryIfShort(): void {
  if (isShort(totalmem(), process.constrainedMemory())) limitMemory();
}

/** `allowedBytes` is the limit of a container; 0 when there is no limit. */
export function isShort(totalBytes: number, allowedBytes: number): boolean {
  return Math.min(totalBytes, allowedBytes || totalBytes) < ENOUGH_BYTES;
}

export function limitMemory(): void {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
}

/** Lines of earlier programs, one for each state of the schema; `store-state.ts` writes them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Schema } from '../../server/db/schema/read-schema.ts';

const STATES = fileURLToPath(new URL('../fixtures/states/', import.meta.url));
export const STATE_SECRET_KEY = 'a key that somebody has chosen, long enough';
/** Referral codes in the order of the line. */
export const CODES_IN_ORDER = `
  select referral_code as code from member join standing on member_id = id
  cross join lateral position_of(sort_key) own order by own.position`;

const MAX_BYTES = 2 ** 30;
/** The databases of a folder have the same catalogues, further apart than a default window. */
const COMPRESSION = {
  [constants.ZSTD_c_compressionLevel]: 19,
  [constants.ZSTD_c_windowLog]: 27,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
};

export type StoredState = {
  readonly backup: string;
  readonly codes: readonly string[];
  readonly schema: Schema;
  /** Unpacks the data folder. */
  unpack(dataDir: string): void;
};

export function listStates(): string[] {
  return readdirSync(STATES);
}

export function readState(name: string): StoredState {
  const read = (file: string) => zstdDecompressSync(readFileSync(join(STATES, name, file)));
  return {
    backup: join(STATES, name, 'line.backup'),
    codes: JSON.parse(read('codes.json.zst').toString()),
    schema: JSON.parse(read('schema.json.zst').toString()),
    unpack(dataDir) {
      mkdirSync(dataDir, { mode: 0o700 });
      execFileSync('tar', ['-xC', dataDir], { input: read('folder.tar.zst') });
    },
  };
}

type NewState = Pick<StoredState, 'codes' | 'schema'> & {
  readonly dataDir: string;
  readonly backup: Uint8Array;
};

export function writeState(folder: string, { dataDir, backup, codes, schema }: NewState): void {
  mkdirSync(folder, { recursive: true });
  const write = (file: string, bytes: Uint8Array) =>
    writeFileSync(join(folder, file), zstdCompressSync(bytes, { params: COMPRESSION }));
  writeFileSync(join(folder, 'line.backup'), backup);
  write('codes.json.zst', Buffer.from(JSON.stringify(codes)));
  write('schema.json.zst', Buffer.from(JSON.stringify(schema)));
  write('folder.tar.zst', execFileSync('tar', ['-cC', dataDir, '.'], { maxBuffer: MAX_BYTES }));
}

/** The tables of 0007-imports.sql and 0017-import-runs.sql, as in tables.ts. */
import type { Generated } from 'kysely';
import type { Json } from './json-column.ts';

export type ImportTables = {
  list_import: ListImportTable;
  list_import_chunk: ListImportChunkTable;
  list_import_row: ListImportRowTable;
  import_run: ImportRunTable;
  import_piece: ImportPieceTable;
};

type ImportState =
  | 'receiving'
  | 'refused'
  | 'received'
  | 'checking'
  | 'checked'
  | 'importing'
  | 'imported';

type ListImportTable = {
  id: Generated<string>;
  created_at: Generated<Date>;
  file_name: string;
  byte_count: number;
  received: Generated<number>;
  state: Generated<ImportState>;
  problem: string | null;
  sha256: string | null;
  format: Json | null;
  mapping: Json | null;
  check_id: string | null;
  checked_at: Date | null;
  read_bytes: Generated<number>;
  report: Json | null;
};

type ListImportChunkTable = {
  import_id: string;
  first_byte: number;
  bytes: Uint8Array;
};

type ListImportRowTable = {
  import_id: string;
  ordinal: number;
  line: number;
  shown: string;
  email: string | null;
  email_identity: string | null;
  joined_at: Date | null;
  row_id: string | null;
  old_code: string | null;
  referrer: string | null;
  referrer_identity: string | null;
  referrer_code: string | null;
  stated_referrals: number | null;
  fault: string | null;
  first_line: number | null;
  notes: Generated<string[]>;
  member_id: string;
  place: number | null;
  referrer_ordinal: number | null;
  referrer_id: string | null;
  kept_code: string | null;
  new_code: string;
  friends: Generated<number>;
};

type ImportRunTable = {
  import_id: string;
  decided_at: Generated<Date>;
  goal: 'join' | 'leave';
  is_done: Generated<boolean>;
  options: Json;
  done_to: Generated<number>;
  moved: Generated<number>;
  left_out: Generated<number>;
};

type ImportPieceTable = {
  import_id: string;
  first_sequence: number;
  last_sequence: number;
};

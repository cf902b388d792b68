import type { ColumnType } from 'kysely';

/** Written as JSON text. */
export type Json = ColumnType<unknown, string, string>;

import { type RawBuilder, sql } from 'kysely';

/** SQL that gives a moment as JavaScript prints it: ISO 8601 in UTC, with milliseconds. */
export function isoTime<T extends string | null = string>(moment: RawBuilder<unknown>) {
  return sql<T>`to_char((${moment}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

import { type RawBuilder, sql } from 'kysely';

export function isoTime<T extends string | null = string>(moment: RawBuilder<unknown>) {
  return sql<T>`to_char((${moment}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

type IsoRow<Row> = {
  [Column in keyof Row]: Row[Column] extends Date | null
    ? string | Exclude<Row[Column], Date>
    : Row[Column];
};

export function isoRow<Row extends object>(row: Row): IsoRow<Row> {
  const columns = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(columns) as IsoRow<Row>;
}

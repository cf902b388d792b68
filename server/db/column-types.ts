/** Parsers that give the same JavaScript values on both engines. */
import pg from 'pg';

const BIGINT = 20;
const DATE = 1082;

export const columnParsers: Readonly<Record<number, (text: string) => unknown>> = {
  [BIGINT]: parseSafeInteger,
  [DATE]: (text) => text,
};

export const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => columnParsers[oid] ?? pg.types.getTypeParser(oid, format),
};

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${text} is outside the whole numbers JavaScript keeps exact.`);
  return value;
}

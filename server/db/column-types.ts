/** How columns read back, so that both engines give the same JavaScript values. */
import pg from 'pg';

/** OIDs of the PostgreSQL catalogue; fixed for ever. */
const BIGINT = 20;
const DATE = 1082;

/** Scalar types whose defaults differ between the engines, or are not what this product wants. */
export const columnParsers: Readonly<Record<number, (text: string) => unknown>> = {
  [BIGINT]: parseSafeInteger,
  [DATE]: (text) => text,
};

/** The same for the `pg` driver, whose own parsers serve every other type. */
export const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => columnParsers[oid] ?? pg.types.getTypeParser(oid, format),
};

/** A bigint as a number; throws RangeError rather than round. */
function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${text} is outside the whole numbers JavaScript keeps exact.`);
  return value;
}

import { openDatabase } from '../../server/db/open.ts';
import type { Place } from '../places.ts';

export type Sample = {
  readonly ids: readonly string[];
  readonly codes: readonly string[];
  readonly inviterCodes: readonly string[];
};

export const SAMPLE = 20_000;

/** Reads what every schema of the line has had: another commit may have filled it. */
export async function readSample(place: Place): Promise<Sample> {
  const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
  const { rows } = await database.runSql<Sample>(READ);
  await database.close();
  return rows[0] as Sample;
}

/** The inviter of a member drawn evenly is drawn with the weight of their friends. */
const READ = `
  with drawn as materialized (
    select member.id, member.referral_code, member.referrer_id
    from line_state line
    cross join generate_series(1, ${SAMPLE}) number
    join member
      on member.sequence = 1 + mod(hashint8extended(number, 1) & 1099511627775, line.total)
  )
  select
    array(select id::text from drawn) as ids,
    array(select referral_code from drawn) as codes,
    array(
      select referral_code from member join standing on member_id = id
      order by referral_count desc, sequence limit 1
    ) || array(
      select referrer.referral_code
      from drawn join member referrer on referrer.id = drawn.referrer_id
    ) as "inviterCodes"`;

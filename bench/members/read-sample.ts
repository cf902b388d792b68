/** Who the loads are about: members of a database, drawn evenly, and inviters, drawn as often as they have invited. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../server/db/open.ts';
import type { Place } from '../floor-process.ts';
import type { Sample } from '../load/request-bytes.ts';

const SAMPLE = 20_000;

/** Writes the sample of a database that no server has open; answers the file. The first inviter is the one with the most friends. */
export async function writeSample(place: Place): Promise<string> {
  const database = await openDatabase({ ...place, log: () => {}, asItIs: true });
  const { rows } = await database.runSql(READ);
  await database.close();
  const path = join(place.dataDir, 'sample.json');
  writeFileSync(path, JSON.stringify(rows[0] as Sample));
  return path;
}

/** Whoever invited a member drawn evenly has been drawn with the weight of their friends. */
const READ = `
  with drawn as materialized (
    select member.id, member.referral_code, member.referrer_id
    from line_state line
    cross join generate_series(1, ${SAMPLE}) number
    join member on member.sequence = 1 + mod(hashint8extended(number, 1) & 1099511627775, line.total)
  )
  select
    array(select id::text from drawn) as ids,
    array(select referral_code from drawn) as codes,
    array(select referral_code from member order by referral_count desc, sequence limit 1)
      || array(select referrer.referral_code from drawn join member referrer on referrer.id = drawn.referrer_id) as "inviterCodes"`;

/** The line as a file, streamed member by member. */
import type { OperatorMember } from '../../contract/operator.ts';
import { csvLine } from './csv-rules.ts';

const COLUMNS = [
  'position',
  'email',
  'referral_code',
  'referral_count',
  'points',
  'tier_level',
  'is_invited',
  'referred_by',
  'joined_at',
  'id',
] as const satisfies readonly (keyof OperatorMember)[];

export async function* writeCsv(members: AsyncIterable<OperatorMember>): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const member of members) yield csvLine(COLUMNS.map((column) => member[column]));
}

/** One array, one member per line. */
export async function* writeJson(members: AsyncIterable<OperatorMember>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const member of members) {
    yield separator + JSON.stringify(member);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

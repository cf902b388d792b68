/** States of made-up members that joins alone do not bring about, for lists that filter by them. */
import type { Database } from '../../server/db/database.ts';

/**
 * Spread over the line: confirmed members (2 in 5), held credits (1 in 50), pending ones (1 in
 * 500), suppressed addresses (1 in 200), two sources (1 in 10 and 1 in 1,000). In one stretch, as
 * after an attack: refused credits.
 */
export async function drawStates({ runSql }: Database, members: number): Promise<void> {
  const [first, last] = [Math.round(members * 0.7), Math.round(members * 0.75)];
  await runSql(`
    begin;
    select from line_state for update;
    update member set
      confirmed_at = case when sequence % 5 < 2 then joined_at + interval '1 hour' end,
      credit = case
        when credit <> 'given' then credit
        when sequence between ${first} and ${last} then 'refused'
        when sequence % 50 = 7 then 'held'
        when sequence % 500 = 3 then 'pending'
        else credit
      end,
      source_id = case when sequence % 10 = 1 then 2 when sequence % 1000 = 2 then 3 end;
    insert into source (id, utm_source) values (2, 'instagram'), (3, 'flyer');
    insert into credit_case (member_id, rules, score, holds)
      select id, array[(array['same-network', 'burst', 'own-mailbox'])[1 + sequence % 3]], 100, true
      from member where credit = 'held';
    insert into mail_suppression (address_hash, reason, member_id)
      select 'made up ' || sequence, (array['stopped', 'bounced', 'complained'])[1 + sequence % 3],
        id
      from member where sequence % 200 = 11;
    select rebuild_line();
    commit`);
  await runSql('vacuum (full, analyze) member');
  await runSql('vacuum (full, analyze) standing');
  await runSql('vacuum (analyze)');
}

/** Whether masks, money, mails and doors of the drops add up. */
import type { DrawRecord } from '../../contract/drop/draw-record.ts';
import { PASS_STATES } from '../../contract/drop/states.ts';
import { verifyDraw } from '../../contract/drop/verify-draw-rules.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { verifyAudit } from '../../server/access/audit/verify-audit.ts';
import { MAIL_QUEUE } from '../../server/db/schema/queue-schema.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { DEAD_DOMAIN } from '../past/draw-joins.ts';
import type { Stage } from '../stage.ts';
import { OFFER_HOURS, type Played, QUIET } from './play-drops.ts';

type Check = { readonly what: string; readonly problems: readonly string[] };

type Told = { readonly stage: Stage; readonly url: string; readonly played: Played };

/** `due` is what comes of a mail: who stopped them still gets what an offer brings with it. */
const VIEWS = `
  create temporary view taking as
    select * from offer where state in ('open', ${PASS_STATES.map((state) => `'${state}'`).join()});
  create temporary view mail as
    select data->>'kind' as kind, (data->>'memberId')::uuid as member_id, created_on as queued_at,
      output->>'outcome' as outcome,
      case
        when reason <> 'stopped' or (reason is not null and data->>'kind' = 'not-chosen')
        then 'suppressed'
        when email like '%@${DEAD_DOMAIN}' then 'refused' else 'sent'
      end as due
    from pgboss.job
    left join member on member.id = (data->>'memberId')::uuid
    left join mail_suppression on mail_suppression.member_id = member.id
    where name = '${MAIL_QUEUE}' and created_on >= (select began from played);
  -- An offer to an address that gets no mail begins at once.
  create temporary view mailed_offer as
    select * from offer where mailed_at is not null
      and member_id not in (select member_id from mail where due <> 'sent');
  create temporary view wanted_mail as
    select distinct drop_number, 'offer' as kind, member_id from offer
    union all select drop_number, 'pass', member_id from offer where code is not null
    union all select number, 'not-chosen', member.id from member cross join played_drop
      where confirmed_at is not null
        and not exists (select from offer where member_id = member.id and drop_number = number)
        and not exists (select from taking where member_id = member.id and drop_number < number);
  create temporary view drop_mail as
    select number as drop_number, kind, member_id from mail
    join played_drop on queued_at >= began and queued_at < ended;`;

const THAT = `format('That of %s, made at %s, is %s.', member_id, offered_at, state)`;

/** By what must be so: a query that finds what is not. */
const QUERIES: Readonly<Record<string, string>> = {
  'No size has fewer masks than are with members and allocated': `
    select format('%s has %s masks: %s are with members, %s allocated.', name, stock, taken, kept)
    from mask_size
    cross join lateral (select count(*) from taking where size = name) with_members(taken)
    cross join lateral (
      select coalesce(sum(quantity), 0) from allocation where size = name and released_at is null
    ) allocated(kept)
    where stock < taken + kept`,
  'Nobody has two masks, and no code or order is used twice': `
    select format('%s is there twice.', one) from (
      select member_id::text from taking
      union all select code from offer union all select shop_order from offer) used(one)
    where one is not null group by one having count(*) > 1`,
  'Each offer ended in one way': `
    select ${THAT} from offer
    where state = 'open' or (state = 'accepted' and drop_number = 1)
      or (state in ('declined', 'expired')) <> (code is null)`,
  [`No offer ended before ${OFFER_HOURS} hours from its mail, nor without a reminder`]: `
    select ${THAT} from offer
    where state = 'expired' and (mailed_at is null or reminded_at is null
      or expires_at - mailed_at < interval '${OFFER_HOURS} hours')`,
  [`No offer was mailed or ended from ${QUIET.from} to ${QUIET.until}`]: `
    select format('One was at %s.', at) from (
      select queued_at from mail where kind ~ 'offer|chosen'
      union all select expires_at from offer where mailed_at is not null) times(at)
    where (at at time zone 'UTC')::time >= '${QUIET.from}'
      or (at at time zone 'UTC')::time < '${QUIET.until}'`,
  'Who has a mask of the first drop was left out of the second': `
    select format('%s was not.', member_id) from entrant join taking using (member_id)
    where entrant.drop_number = 2 and taking.drop_number = 1`,
  'Each mask that was handed over at a door is of somebody who came, and no other is': `
    select format('%s were, and %s came in.', handed.count, handed_over)
    from played, (select count(*) from offer where state = 'handed_over') handed
    where handed.count <> handed_over`,
  'Every mail was sent, unless its member gets none, and has arrived': `
    select format('A mail %s is %s, not %s.', kind, outcome, due) from mail
    where outcome is distinct from 'obsolete' and outcome is distinct from due
    union all
    select format('%s were sent, and %s have arrived.', sent.count, arrived)
    from played, (select count(*) from mail where outcome = 'sent') sent
    where sent.count <> arrived`,
  'Each mail of an offer has its link': `
    select ${THAT} from mailed_offer join member on member.id = member_id
    where email not in (select unnest(addresses) from played)`,
  // Others may take none of the sizes that are left.
  'Members who take any size were offered a mask in the order of the draw': `
    select format('Place %s of drop %s was, before another.', draw_order, drop_number)
    from entrant join offer using (drop_number, member_id)
    where draw_order > (
      select min(draw_order) from entrant passed
      where passed.drop_number = entrant.drop_number and takes_any
        and (drop_number, member_id) not in (select drop_number, member_id from offer))`,
  'Everybody got their mails of each drop, once': `
    select format('%s got %s mails %s, not %s.', member_id, sum(got), kind, sum(wanted)) from (
      select drop_number, kind, member_id, 1, 0 from wanted_mail
      union all select drop_number, kind, member_id, 0, 1 from drop_mail
        where kind in ('offer', 'pass', 'not-chosen')
    ) compared(drop_number, kind, member_id, wanted, got)
    group by drop_number, kind, member_id having sum(got) <> sum(wanted)
    union all
    select format('%s was reminded twice.', member_id) from drop_mail
    where kind = 'offer-reminder' group by drop_number, member_id having count(*) > 1`,
};

/** Each check with the problems that it found. */
export async function checkDrops({ stage, url, played }: Told): Promise<Check[]> {
  const { database } = stage;
  const { money, mornings, drops } = played;
  await keepPlayed(stage, played);
  await database.runSql(VIEWS);
  const checks: Check[] = [];
  const check = (what: string, problems: readonly string[]) => checks.push({ what, problems });
  check('Every answer was the right one', played.answers.wrong);
  const find = async (query: string) =>
    (
      await database.runSql<{ problem: string }>(`select * from (${query}) found(problem)`)
    ).rows.map(({ problem }) => problem);
  for (const [what, query] of Object.entries(QUERIES)) check(what, await find(query));
  const orders = await find('select shop_order from offer where shop_order is not null');
  const read = money.rows.flatMap(({ payment, reference }) => (payment && reference) ?? []);
  check('The payments kept are those of the paid passes, and no sale by hand was read', [
    ...differenceOf(money.kept, [...orders, ...money.byHand]),
    ...read.filter((line) => money.byHand.includes(line)).map((line) => `${line} was read.`),
    ...(money.stillOpen === 0 ? [] : ['A checkout is open for nobody.']),
  ]);
  const missed = mornings.filter(({ free, made }) => free > 0 && made === 0);
  check('Offers went on as soon as the quiet hours ended', [
    ...missed.map(({ free }) => `${free} masks were free, and none was offered.`),
    ...(mornings.some(({ made }) => made > 0) ? [] : ['None did.']),
  ]);
  for (const { number, announcementHash } of drops) {
    const answer = await fetch(url + fillPath(apiPaths.draw, number));
    const record = (await answer.json()) as DrawRecord;
    check(`Anybody draws drop ${number} again`, verifyDraw(record, announcementHash).problems);
  }
  check('`npm run verify` finds nothing in the line and the audit log', [
    ...(await verifyLine(database)).differences,
    ...[(await verifyAudit(database)).difference ?? []].flat(),
  ]);
  return checks;
}

/** What happened outside of the database, for the queries. */
async function keepPlayed({ database }: Stage, played: Played): Promise<void> {
  const { from, handedOver, arrived, people, drops } = played;
  await database.runSql(
    `create temporary table played as select $1::timestamptz as began,
       $2::integer as handed_over, $3::integer as arrived, $4::text[] as addresses`,
    [from, handedOver, arrived, people.addresses()],
  );
  await database.runSql(
    `create temporary table played_drop as
       select * from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[])
         one(number, began, ended)`,
    [
      drops.map(({ number }) => number),
      drops.map((drop) => drop.from.toISOString()),
      drops.map((drop) => drop.until.toISOString()),
    ],
  );
}

function differenceOf(found: readonly string[], wanted: readonly string[]): string[] {
  return [
    ...found.filter((line) => !wanted.includes(line)).map((line) => `${line} is too much.`),
    ...wanted.filter((line) => !found.includes(line)).map((line) => `${line} is missing.`),
  ];
}

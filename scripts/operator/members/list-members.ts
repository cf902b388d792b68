/** The list of members from the command line. */
import type { MemberCount, MemberPage } from '../../../contract/operator/member-list.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import type { Options } from '../../command-line/command.ts';
import { print, say } from '../../command-line/output.ts';
import { callOperator } from '../call-operator.ts';
import { renderTable } from '../table.ts';
import { oneOf, readFilterOptions } from './member-filter.ts';

/** One page of the members that match, and how to ask for the next. */
export async function listMembers(
  config: Config,
  _words: readonly string[],
  options: Options,
): Promise<void> {
  const filter = readFilterOptions(options);
  const { json, after } = options;
  const order = { sort: oneOf('sort', options.sort), order: oneOf('order', options.order) };
  const page = await readPage(config, { filter, ...order, after });
  print(json, page, () => (page.members.length === 0 ? 'No member matches.' : renderMembers(page)));
  const { count, is_exact } = await callOperator<MemberCount>(config, {
    method: 'POST',
    path: operatorPaths.countMembers,
    body: { filter },
  });
  say(json, `${is_exact ? '' : 'More than '}${count.toLocaleString('en')} in all.`);
  if (page.next !== null) say(json, `There are more: the same command with --after ${page.next}`);
}

/** Follows partial pages until one has a member or the list ends. */
async function readPage(config: Config, body: object): Promise<MemberPage> {
  let page = await ask(config, body);
  while (page.is_partial && page.members.length === 0)
    page = await ask(config, { ...body, after: page.next });
  return page;
}

async function ask(config: Config, body: object): Promise<MemberPage> {
  return await callOperator<MemberPage>(config, {
    method: 'POST',
    path: operatorPaths.listMembers,
    body,
  });
}

/** As a table. */
export function renderMembers({ members }: Pick<MemberPage, 'members'>): string {
  const columns = ['Position', 'Member', 'Code', 'Referrals', 'Tier', 'Credit', 'Mail', 'Joined'];
  const rows = members.map((member) => [
    member.position,
    member.email,
    member.referral_code,
    member.referral_count,
    member.tier_level,
    member.credit,
    member.mail_state,
    member.joined_at,
  ]);
  return renderTable(columns, rows);
}

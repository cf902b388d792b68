/** Finding and removing members from the command line. */
import { createInterface } from 'node:readline/promises';
import type { FoundMember, FoundMembers } from '../../../contract/operator/members.ts';
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import { UsageError } from '../../command-line/command.ts';
import { print, say } from '../../command-line/output.ts';
import { callOperator, OperatorError } from '../call-operator.ts';
import { describeMail } from '../mails.ts';
import { renderTable } from '../table.ts';

export async function findMembers(
  config: Config,
  [text = '']: readonly string[],
  { json }: { readonly json?: boolean | undefined },
): Promise<void> {
  const members = await search(config, text);
  print(json, members, () => members.map(describe).join('\n\n'));
}

export async function removeMember(
  config: Config,
  [text = '']: readonly string[],
  { yes }: { readonly yes?: boolean | undefined },
): Promise<void> {
  const [member, ...others] = await search(config, text);
  if (member === undefined || others.length > 0)
    throw new OperatorError(`${text} matches more than one member.`);
  if (!yes && !(await confirm(member))) return say(false, 'Nobody was removed.');
  await callOperator<void>(config, {
    method: 'DELETE',
    path: fillPath(operatorPaths.member, member.id),
  });
  console.log(`Removed ${member.email}. Members behind moved up.`);
}

async function search(config: Config, text: string): Promise<FoundMember[]> {
  const body = { text };
  const { members } = await callOperator<FoundMembers>(config, {
    method: 'POST',
    path: operatorPaths.findMembers,
    body,
  });
  if (members.length === 0) throw new OperatorError(`No member matches ${text}.`);
  return members;
}

async function confirm(member: FoundMember): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError('Without a terminal, add --yes to remove the member.');
  console.error(describe(member));
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Remove this member? This cannot be undone. [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function describe(member: FoundMember): string {
  return renderTable(
    ['Member', member.email],
    [
      ['Id', member.id],
      ['Position', String(member.position)],
      ['Referral code', member.referral_code],
      ['Referrals', String(member.referral_count)],
      ['Points', String(member.points)],
      ['Tier', String(member.tier_level)],
      [
        'Invited',
        member.is_invited ? `yes, from ${member.referred_by ?? 'a removed member'}` : 'no',
      ],
      ['Joined', member.joined_at],
      ...describeMail(member),
    ],
  );
}

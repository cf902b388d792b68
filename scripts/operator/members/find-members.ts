/** Finding members from the command line. */
import type { FoundMember, FoundMembers } from '../../../contract/operator/members.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import { print } from '../../command-line/output.ts';
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

/** The one member that the text names. Throws OperatorError. */
export async function findMember(config: Config, text: string): Promise<FoundMember> {
  const [member, ...others] = await search(config, text);
  if (member === undefined || others.length > 0)
    throw new OperatorError(`${text} matches more than one member.`);
  return member;
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

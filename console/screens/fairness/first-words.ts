import { describeFriends as countFriends } from '../../../contract/friend-words.ts';
import type { FirstMember, PeopleGroup } from '../../../contract/operator/first-in-line.ts';
import { formatAmount, formatCount } from '../../ui/formats.ts';
import { formatWait } from '../overview/overview-words.ts';

type Friends = FirstMember['friends'];

export function describeFriends({ joined, confirmed, counting, held, refused }: Friends): string {
  if (joined === 0) return 'No friends';
  return [
    countFriends({
      joined_referrals: joined,
      confirmed_referrals: confirmed,
      settled_referrals: counting,
    }),
    held > 0 && `${formatCount(held)} held`,
    refused > 0 && `${formatCount(refused)} refused`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** "14 friends at one.example, none confirmed, one network, 3 minutes" */
export function describeGroup(group: PeopleGroup, noun: 'friend' | 'member'): string {
  const { members, confirmed, networks, minutes } = group;
  return [
    `${formatAmount(members, noun)} ${nameGroup(group)}`,
    confirmed === members ? 'all confirmed' : `${count(confirmed)} confirmed`,
    ...(group.by === 'network' ? [] : [describeNetworks(networks)]),
    formatWait(minutes),
  ].join(', ');
}

export function nameGroup({ by, name }: PeopleGroup): string {
  if (by === 'network') return 'from one network';
  return by === 'code' ? `of the code ${name}` : `at ${name}`;
}

function describeNetworks(networks: number): string {
  if (networks === 0) return 'networks not known';
  return networks === 1 ? 'one network' : `${formatCount(networks)} networks`;
}

const count = (number: number) => (number === 0 ? 'none' : formatCount(number));

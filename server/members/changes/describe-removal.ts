import { countOf } from '../../changes/count-words.ts';
import type { RemovalEffects } from '../../line/changes/preview-removal.ts';
import type { countTierChanges } from '../../line/referrals/tier-rules.ts';
import type { HeldMasks } from '../links/store.ts';

export function describeRemoval(
  effects: RemovalEffects,
  { offers, passes, owed, unaddressed }: HeldMasks,
) {
  const { leaving, firstPosition, moved, lostCredits, tiers, friends } = effects;
  const [first] = leaving;
  const sentences = [
    leaving.length === 1
      ? `${first?.email} at position ${firstPosition?.toLocaleString('en-US')} leaves the line.`
      : `${countOf(leaving.length, 'member')} leave the line.`,
    `${countOf(moved, 'other member gets', 'other members get')} another position.`,
  ];
  if (lostCredits > 0)
    sentences.push(
      `${countOf(lostCredits, 'credit is', 'credits are')} taken back${describeTiers(tiers)}.`,
    );
  if (friends > 0)
    sentences.push(
      `${countOf(friends, 'friend', 'friends')} they brought stay, and count for nobody.`,
    );
  if (offers > 0)
    sentences.push(`${countOf(offers, 'open offer of a mask ends', 'open offers of masks end')}.`);
  if (passes > 0)
    sentences.push(
      `${countOf(passes, 'pass for a mask is', 'passes for masks are')} cancelled for good, and ` +
        `the next in the draw order ${passes === 1 ? 'is offered it' : 'are offered them'}.`,
    );
  if (owed > 0)
    sentences.push(
      `${countOf(owed, 'mask is paid and', 'masks are paid and')} still to be sent: the packing ` +
        'list keeps where to until then. ' +
        (unaddressed === 0
          ? 'The till keeps the money.'
          : `Of ${unaddressed} nobody knows that yet: ask before they cannot answer here.`),
    );
  sentences.push('Their mails are deleted, also if the removal is undone.');
  const lost_tier = [...tiers.lost.values()].reduce((sum, members) => sum + members, 0);
  const members = leaving.length;
  const counts = { members, moved, credits: lostCredits, lost_tier, friends, offers, passes, owed };
  return { sentences, counts };
}

export function describeTiers({ lost, reached }: ReturnType<typeof countTierChanges>): string {
  const describe = (tiers: ReadonlyMap<number, number>, one: string, several: string) =>
    [...tiers]
      .sort(([a], [b]) => b - a)
      .map(([level, members]) => `, ${countOf(members, one, several)} tier ${level}`);
  return [
    ...describe(lost, 'member loses', 'members lose'),
    ...describe(reached, 'member reaches', 'members reach'),
  ].join('');
}

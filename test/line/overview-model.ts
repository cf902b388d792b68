/** The overview's figures as their definitions say them: lists, counted anew for every question. */
import type { Source } from '../../server/line/sources/source-rules.ts';

export type OverviewMember = {
  readonly id: string;
  readonly code: string;
  readonly joinedAt: number;
  readonly campaign: string;
  readonly isInvited: boolean;
  referrer: OverviewMember | null;
  isInLine: boolean;
  isCounted: boolean;
  isShared: boolean;
  /** Friends who have left count, too. */
  readonly friends: OverviewMember[];
};

type Visit = {
  readonly at: number;
  readonly page: 'landing' | 'invite';
  readonly campaign: string;
};

export class OverviewModel {
  readonly members: OverviewMember[] = [];
  readonly visits: Visit[] = [];

  get inLine(): OverviewMember[] {
    return this.members.filter((member) => member.isInLine);
  }

  join(member: Pick<OverviewMember, 'id' | 'code' | 'joinedAt' | 'campaign' | 'referrer'>): void {
    this.members.push({
      ...member,
      isInvited: member.referrer !== null,
      isInLine: true,
      isCounted: false,
      isShared: false,
      friends: [],
    });
  }

  remove(leaving: OverviewMember): void {
    leaving.isInLine = false;
    for (const member of this.members) if (member.referrer === leaving) member.referrer = null;
  }

  /** Members who left before they were counted never are. */
  count(): void {
    for (const member of this.inLine) {
      if (member.isCounted) continue;
      member.isCounted = true;
      if (member.referrer === null) continue;
      member.referrer.friends.push(member);
      member.referrer.isShared = true;
    }
  }

  open(member: OverviewMember): void {
    if (member.isInLine) member.isShared = true;
  }

  figures(isInside: (at: number) => boolean) {
    const joined = this.members.filter(
      ({ isCounted, joinedAt }) => isCounted && isInside(joinedAt),
    );
    // An invite may be opened before its member is counted.
    const cohort = this.members.filter(({ joinedAt }) => isInside(joinedAt));
    const visits = this.visits.filter(({ at }) => isInside(at));
    return {
      visits: visits.length,
      invite_visits: visits.filter(({ page }) => page === 'invite').length,
      joins: joined.length,
      invited: joined.filter(({ isInvited }) => isInvited).length,
      shared: cohort.filter(({ isShared }) => isShared).length,
      with_friend: cohort.filter(({ friends }) => friends.length > 0).length,
      friends: cohort.reduce((sum, { friends }) => sum + friends.length, 0),
    };
  }

  /** In minutes, rounded as the overview does, in rising order. */
  waits(): number[] {
    return this.members
      .filter(({ friends }) => friends.length > 0)
      .map(({ joinedAt, friends }) => {
        const first = Math.min(...friends.map((friend) => friend.joinedAt));
        const minutes = Math.floor((first - joinedAt) / 60_000);
        if (minutes < 120) return minutes;
        return minutes < 1440 ? Math.floor(minutes / 10) * 10 : Math.floor(minutes / 60) * 60;
      })
      .sort((a, b) => a - b);
  }

  bySource(isInside: (at: number) => boolean): Record<string, { visits: number; joins: number }> {
    const found: Record<string, { visits: number; joins: number }> = {};
    const of = (campaign: string) => (found[campaign] ??= { visits: 0, joins: 0 });
    for (const { at, campaign } of this.visits) if (isInside(at)) of(campaign).visits += 1;
    for (const { isCounted, joinedAt, campaign } of this.members)
      if (isCounted && isInside(joinedAt)) of(campaign).joins += 1;
    return found;
  }
}

export function campaignSource(campaign: string): Source {
  return { utm_source: '', utm_medium: '', utm_campaign: campaign, via: '', referring_host: '' };
}

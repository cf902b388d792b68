/**
 * What visitors asked for and were told, and whether one line of members explains it all: the set and counter checks of Jepsen. Every join
 * is repeated with its Idempotency-Key until it is answered, so that in the end nothing is uncertain.
 */
import type { Member, Stats } from '../../contract/schemas.ts';
import type { OperatorMember } from '../../server/waitlist/member-view.ts';
import { findGaps } from '../line/check-permutation.ts';

export type History = ReturnType<typeof openHistory>;

export type Verdict = {
  /** Acknowledged, and not in the line as they were told. */
  readonly lost: string[];
  /** In the line twice, or without ever having been acknowledged. */
  readonly duplicated: string[];
  /** Positions that nobody has, and counts that are not those of acknowledged friends. */
  readonly untrue: string[];
};

/** All that can be wrong when all is over. */
export type Findings = Verdict & {
  /** What `npm run verify` finds. */
  readonly differences: readonly string[];
  /** Answers that contradict earlier ones. */
  readonly violations: readonly string[];
};

/** What a counter may show: `least` was true before a read began, `most` is asked for by its end. */
class Counter {
  least = 0;
  most = 0;
  acknowledged = 0;

  acknowledge(): void {
    this.acknowledged += 1;
    this.least = Math.max(this.least, this.acknowledged);
  }

  /** A sentence when `shown` was impossible. */
  see(shown: number, leastAtBegin: number): string | null {
    this.least = Math.max(this.least, shown);
    if (shown < leastAtBegin) return `shows ${shown} after ${leastAtBegin} was acknowledged`;
    return shown > this.most ? `shows ${shown}, and ${this.most} were asked for` : null;
  }
}

export function openHistory() {
  const members: Member[] = [];
  const friends = new Map<string, Counter>();
  const total = new Counter();
  const violations: string[] = [];

  function friendsOf(id: string): Counter {
    const counter = friends.get(id) ?? new Counter();
    friends.set(id, counter);
    return counter;
  }

  function note(what: string, sentence: string | null): void {
    if (sentence !== null) violations.push(`${what} ${sentence}`);
  }

  return {
    /** Acknowledged, in the order of the answers. */
    members: members as readonly Member[],
    /** Answers that contradict earlier ones. */
    violations: violations as readonly string[],
    askJoin(inviter: Member | null): void {
      total.most += 1;
      if (inviter !== null) friendsOf(inviter.id).most += 1;
    },
    acknowledgeJoin(member: Member, inviter: Member | null): void {
      members.push(member);
      total.acknowledge();
      if (inviter !== null) friendsOf(inviter.id).acknowledge();
    },
    note,
    /** Call it before the read; what it answers takes the read's answer. */
    beginStatus({ id, email }: Member): (shown: Member | null) => void {
      const { least } = friendsOf(id);
      return (shown) => {
        if (shown?.email === email) note(`The status of ${id}`, friendsOf(id).see(shown.referral_count, least));
        else note(`The status of ${id}`, 'is not that of an acknowledged member');
      };
    },
    beginStats(): (shown: Stats) => void {
      const { least } = total;
      return ({ total_signups }) => note('The total', total.see(total_signups, least));
    },
    /** Holds the line, first to last, against all answers. */
    judge(line: readonly OperatorMember[]): Verdict {
      const byId = new Map(line.map((member) => [member.id, member]));
      const acknowledged = new Set(members.map(({ id }) => id));
      const emails = new Set<string>();
      const isRepeated = (email: string) => emails.size === emails.add(email).size;
      return {
        lost: members.filter(({ id, email }) => byId.get(id)?.email !== email).map(({ id }) => id),
        duplicated: line.filter(({ id, email }) => isRepeated(email) || !acknowledged.has(id)).map(({ id }) => id),
        untrue: [
          ...findGaps(line.map(({ position }) => position)),
          ...line
            .filter(({ id, referral_count }) => referral_count !== friendsOf(id).acknowledged)
            .map(({ id, referral_count }) => `${id} has ${referral_count}, not ${friendsOf(id).acknowledged} friends.`),
        ],
      };
    },
  };
}

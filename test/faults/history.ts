/**
 * Records requests and answers, and checks that one line explains them all, as Jepsen's set and
 * counter checkers do. Every join is retried until it is answered, so that no outcome is uncertain.
 */

import type { OperatorMember } from '../../contract/operator/members.ts';
import type { Member, Stats } from '../../contract/schemas.ts';
import { findGaps } from '../line/check-permutation.ts';

export type History = ReturnType<typeof openHistory>;

export type Verdict = {
  /** Acknowledged, but not in the line. */
  readonly lost: string[];
  /** In the line twice, or never acknowledged. */
  readonly duplicated: string[];
  /** Gaps in the positions, and counts that differ from the acknowledged friends. */
  readonly untrue: string[];
};

/** Everything that can be wrong in the end. */
export type Findings = Verdict & {
  /** From `npm run verify`. */
  readonly differences: readonly string[];
  /** Answers that contradict earlier ones. */
  readonly violations: readonly string[];
};

/** Bounds of a counter: `least` when a read begins, `most` when it ends. */
class Counter {
  least = 0;
  most = 0;
  acknowledged = 0;

  acknowledge(): void {
    this.acknowledged += 1;
    this.least = Math.max(this.least, this.acknowledged);
  }

  /** Returns a sentence when `shown` is impossible. */
  see(shown: number, leastAtBegin: number): string | null {
    this.least = Math.max(this.least, shown);
    if (shown < leastAtBegin) return `shows ${shown} after ${leastAtBegin} was acknowledged`;
    return shown > this.most ? `shows ${shown}, and ${this.most} were asked for` : null;
  }
}

/** The line is empty at first. */
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
    /** Call it before the read, and the function it returns with the answer. */
    beginStatus({ id, email }: Member): (shown: Member | null) => void {
      const { least } = friendsOf(id);
      return (shown) => {
        if (shown?.email === email)
          note(`The status of ${id}`, friendsOf(id).see(shown.referral_count, least));
        else note(`The status of ${id}`, 'is not that of an acknowledged member');
      };
    },
    beginStats(): (shown: Stats) => void {
      const { least } = total;
      return ({ total_signups }) => note('The total', total.see(total_signups, least));
    },
    /** Checks the line, first to last, against all answers. */
    judge(line: readonly OperatorMember[]): Verdict {
      const byId = new Map(line.map((member) => [member.id, member]));
      const acknowledged = new Set(members.map(({ id }) => id));
      const emails = new Set<string>();
      const isRepeated = (email: string) => emails.size === emails.add(email).size;
      return {
        lost: members.filter(({ id, email }) => byId.get(id)?.email !== email).map(({ id }) => id),
        duplicated: line
          .filter(({ id, email }) => isRepeated(email) || !acknowledged.has(id))
          .map(({ id }) => id),
        untrue: [
          ...findGaps(line.map(({ position }) => position)),
          ...line
            .filter(({ id, referral_count }) => referral_count !== friendsOf(id).acknowledged)
            .map(
              ({ id, referral_count }) =>
                `${id} has ${referral_count}, not ${friendsOf(id).acknowledged} friends.`,
            ),
        ],
      };
    },
  };
}

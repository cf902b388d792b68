/**
 * The line as the rules say it in plain words: an array, sorted anew for every question. Slow and
 * obvious.
 */
import type { LineRule } from '../../brand/brand-shape.ts';

export type ModelMember = {
  readonly name: string;
  readonly joinOrder: number;
  readonly isInvited: boolean;
  referrer: ModelMember | null;
  /** Counts for the referrer. */
  isCredited: boolean;
  isConfirmed: boolean;
  /** Known once the server has said them. */
  id: string;
  code: string;
};

export type ModelJoin = {
  readonly name: string;
  readonly email: string;
  readonly code: string | null;
  readonly key: string | null;
};

export type ModelAnswer =
  | { readonly kind: 'joined'; readonly member: ModelMember }
  | { readonly kind: 'known'; readonly member: ModelMember }
  | { readonly kind: 'conflict' };

/** When a friend counts: on joining or on confirming. */
export type ReferralCredit = 'join' | 'confirm';

export class LineModel {
  /** May change at any time, as at a restart with another setting. */
  credit: ReferralCredit = 'join';
  readonly members: ModelMember[] = [];
  readonly #rule: LineRule;
  readonly #kept = new Map<string, { request: string; answer: ModelAnswer }>();
  #joins = 0;

  constructor(rule: LineRule) {
    this.#rule = rule;
  }

  /**
   * In their order, at one instant. The first request with a key also decides the others with it.
   */
  joinTogether(joins: readonly ModelJoin[]): ModelAnswer[] {
    const firstOfKey = new Map<string, { request: string; answer: ModelAnswer }>();
    return joins.map((join) => {
      const request = JSON.stringify([join.email, join.code]);
      const first = join.key === null ? undefined : firstOfKey.get(join.key);
      if (first) return first.request === request ? first.answer : { kind: 'conflict' };
      const answer = this.join(join);
      if (join.key !== null) firstOfKey.set(join.key, { request, answer });
      return answer;
    });
  }

  join({ name, email, code, key }: ModelJoin): ModelAnswer {
    const request = JSON.stringify([email, code]);
    const kept = key === null ? undefined : this.#kept.get(key);
    if (kept) return kept.request === request ? kept.answer : { kind: 'conflict' };
    const answer = this.#joinAnew(name, code);
    if (key !== null && answer.kind === 'joined') this.#kept.set(key, { request, answer });
    return answer;
  }

  remove(member: ModelMember): void {
    this.members.splice(this.members.indexOf(member), 1);
    for (const friend of this.members) if (friend.referrer === member) friend.referrer = null;
    for (const [key, { answer }] of this.#kept)
      if (answer.kind !== 'conflict' && answer.member === member) this.#kept.delete(key);
  }

  confirm(member: ModelMember): void {
    member.isConfirmed = true;
    member.isCredited = true;
  }

  friends(member: ModelMember): number {
    return this.members.filter((friend) => friend.referrer === member && friend.isCredited).length;
  }

  /** Friends who joined and do not count yet. */
  pending(member: ModelMember): number {
    return this.members.filter((friend) => friend.referrer === member && !friend.isCredited).length;
  }

  /** First to last. */
  inOrder(): ModelMember[] {
    const friends = new Map<ModelMember | null, number>();
    for (const { referrer, isCredited } of this.members)
      if (isCredited) friends.set(referrer, (friends.get(referrer) ?? 0) + 1);
    const rank = new Map(
      this.members.map((member) => [member, this.#rank(member, friends.get(member) ?? 0)]),
    );
    return this.members.toSorted(
      (a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0) || a.joinOrder - b.joinOrder,
    );
  }

  #joinAnew(name: string, code: string | null): ModelAnswer {
    const known = this.members.find((member) => member.name === name);
    if (known) return { kind: 'known', member: known };
    const referrer =
      this.members.find((member) => code !== null && member.code === code.toUpperCase()) ?? null;
    this.#joins += 1;
    const isInvited = referrer !== null;
    const isCredited = this.credit === 'join';
    const member = {
      name,
      joinOrder: this.#joins,
      isInvited,
      referrer,
      isCredited,
      isConfirmed: false,
      id: '',
      code: '',
    };
    this.members.push(member);
    return { kind: 'joined', member };
  }

  #rank(member: ModelMember, friends: number): number {
    const invited = member.isInvited ? 1 : 0;
    if (this.#rule.name === 'points') return -(2 * friends + invited);
    return member.joinOrder - 10 * (friends + invited);
  }
}

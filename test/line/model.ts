/**
 * The line as its rule says it in plain words: an array, sorted anew for every question. Slow and
 * obvious.
 */

export type ModelMember = {
  name: string;
  readonly joinOrder: number;
  isInvited: boolean;
  /** Within the last day. */
  isNew: boolean;
  /** Set while that member is away, too: they may come back. */
  referrer: ModelMember | null;
  /** Members whose codes the address was entered for after the join, until it is confirmed. */
  readonly others: Set<ModelMember>;
  adjustment: number;
  /** That the referrer gets; also while that member is away. */
  credit: ModelCredit;
  decidedBy: 'operator' | null;
  isConfirmed: boolean;
  /** Known once the server has said them. */
  id: string;
  code: string;
};

export type ModelCredit = 'pending' | 'held' | 'given' | 'refused';

/** See give_inviter.sql. */
export type ModelNaming = 'given' | 'gone' | 'known' | 'late' | 'unknown' | 'own' | 'friend';

export type ModelJoin = {
  readonly name: string;
  readonly email: string;
  readonly code: string | null;
  readonly key: string | null;
};

export type ModelAnswer =
  | { readonly kind: 'joined'; readonly member: ModelMember; position: number }
  | { readonly kind: 'known'; readonly member: ModelMember }
  | { readonly kind: 'conflict' };

type Kept = { request: string; answer: ModelAnswer };
type ModelKeys = readonly (readonly [key: string, kept: Kept])[];
export type ModelRemoval = readonly { member: ModelMember; keys: ModelKeys }[];

/** When a friend counts: on joining or on confirming. */
export type ReferralCredit = 'settle' | 'confirm';

const MOST_UNCONFIRMED = 10;
const MOST_OTHERS = 8;

export class LineModel {
  /** May change at any time, as at a restart with another setting. */
  credit: ReferralCredit = 'settle';
  readonly members: ModelMember[] = [];
  readonly #kept = new Map<string, Kept>();
  readonly #everybody: ModelMember[] = [];
  readonly #again: { readonly known: ModelMember; readonly referrer: ModelMember | null }[] = [];
  #joins = 0;

  /**
   * In their order, at one instant. The first request with a key also decides the others with it.
   * Positions are those once all have joined, before an address that was entered again is noted.
   */
  joinTogether(joins: readonly ModelJoin[]): ModelAnswer[] {
    const firstOfKey = new Map<string, { request: string; answer: ModelAnswer }>();
    const answers = joins.map((join): ModelAnswer => {
      const request = JSON.stringify([join.email, join.code]);
      const first = join.key === null ? undefined : firstOfKey.get(join.key);
      if (first) return first.request === request ? first.answer : { kind: 'conflict' };
      const answer = this.#join(join);
      if (join.key !== null) firstOfKey.set(join.key, { request, answer });
      return answer;
    });
    const order = this.inOrder();
    for (const answer of answers)
      if (answer.kind === 'joined') answer.position = order.indexOf(answer.member) + 1;
    for (const { known, referrer } of this.#again.splice(0)) this.#enterAgain(known, referrer);
    return answers;
  }

  #join({ name, email, code, key }: ModelJoin): ModelAnswer {
    const request = JSON.stringify([email, code]);
    const kept = key === null ? undefined : this.#kept.get(key);
    if (kept) return kept.request === request ? kept.answer : { kind: 'conflict' };
    const answer = this.#joinAnew(name, code);
    if (key !== null && answer.kind === 'joined') this.#kept.set(key, { request, answer });
    return answer;
  }

  /** For good. */
  remove(member: ModelMember): void {
    this.#takeOut(member);
    this.#forget(member);
  }

  /** Until they are brought back. */
  removeForNow(members: readonly ModelMember[]): ModelRemoval {
    return members.map((member) => ({ member, keys: this.#takeOut(member) }));
  }

  /** Returns whom. The others are gone for good: somebody joined with their address. */
  bringBack(removal: ModelRemoval): ModelMember[] {
    const returning = removal.filter(({ member }) => !this.#has(member.name));
    for (const { member } of removal) if (this.#has(member.name)) this.#forget(member);
    for (const { member, keys } of returning) {
      this.members.push(member);
      this.keepKeys(keys);
    }
    return returning.map(({ member }) => member);
  }

  /** Returns the keys that answered repeats of the join, or null where the name is taken. */
  rename(member: ModelMember, name: string): ModelKeys | null {
    if (name !== member.name && this.#has(name)) return null;
    if (name !== member.name) {
      member.isConfirmed = false;
      member.others.clear();
    }
    member.name = name;
    return this.#dropKeys(member);
  }

  keepKeys(keys: ModelKeys): void {
    for (const [key, kept] of keys) if (!this.#kept.has(key)) this.#kept.set(key, kept);
  }

  #has(name: string): boolean {
    return this.members.some((member) => member.name === name);
  }

  #takeOut(member: ModelMember): ModelKeys {
    this.members.splice(this.members.indexOf(member), 1);
    return this.#dropKeys(member);
  }

  #forget(member: ModelMember): void {
    for (const friend of this.#everybody) if (friend.referrer === member) friend.referrer = null;
  }

  #dropKeys(member: ModelMember): ModelKeys {
    const own = [...this.#kept].filter(
      ([, { answer }]) => answer.kind !== 'conflict' && answer.member === member,
    );
    for (const [key] of own) this.#kept.delete(key);
    return own;
  }

  /** Names the inviter of a member. Returns 'given', or why nothing changes. */
  giveInviter(member: ModelMember, inviter: ModelMember | null): ModelNaming {
    if (!this.members.includes(member)) return 'gone';
    if (member.isInvited) return 'known';
    if (!member.isNew) return 'late';
    if (inviter === null || !this.members.includes(inviter)) return 'unknown';
    if (inviter === member) return 'own';
    if (this.#hasBrought(member, inviter)) return 'friend';
    Object.assign(member, { isInvited: true, referrer: inviter });
    const isCounted = this.credit === 'settle' || member.isConfirmed;
    member.credit = isCounted ? 'given' : 'pending';
    return 'given';
  }

  /** By friends who are in line. Members who came back can have closed a circle. */
  #hasBrought(member: ModelMember, friend: ModelMember): boolean {
    const brought = new Set([member]);
    for (const each of brought)
      for (const one of this.members) if (one.referrer === each) brought.add(one);
    return brought.size > 1 && (brought.has(friend) || this.#isInCircle(friend));
  }

  #isInCircle(member: ModelMember): boolean {
    const seen = new Set<ModelMember>();
    for (let above = member.referrer; above !== null; above = above.referrer) {
      if (!this.members.includes(above)) return false;
      if (seen.has(above)) return true;
      seen.add(above);
    }
    return false;
  }

  /** The member is a friend of the inviter alone; without one, of nobody. */
  confirm(member: ModelMember, inviter: ModelMember | null = null): void {
    if (member.others.size > 0) this.#chooseInviter(member, inviter);
    member.isConfirmed = true;
    if (member.credit === 'pending') member.credit = 'given';
  }

  /** Members whom the owner of an address chooses from; empty if it was entered for one code. */
  possibleInviters(friend: ModelMember): ModelMember[] {
    const { referrer, others, decidedBy } = friend;
    const isReferrerHere = referrer !== null && this.members.includes(referrer);
    if (others.size === 0 || (decidedBy !== null && !isReferrerHere)) return [];
    return this.members.filter(
      (member) => (member === referrer || others.has(member)) && !this.#hasBrought(friend, member),
    );
  }

  #chooseInviter(member: ModelMember, inviter: ModelMember | null): void {
    const isReferrerHere = member.referrer !== null && this.members.includes(member.referrer);
    const isPossible = inviter !== null && this.possibleInviters(member).includes(inviter);
    if (isPossible) member.referrer = inviter;
    else if (isReferrerHere) member.referrer = null;
    member.others.clear();
  }

  #enterAgain(member: ModelMember, inviter: ModelMember | null): void {
    const { referrer, others } = member;
    const isNamed = inviter === null || inviter === member || inviter === referrer;
    if (isNamed || others.has(inviter) || others.size === MOST_OTHERS) return;
    if (member.isConfirmed || referrer === null || !this.members.includes(referrer)) return;
    others.add(inviter);
    if (member.credit === 'given' && member.decidedBy === null) member.credit = 'pending';
  }

  /** All who have confirmed count, and ten of those who have not. */
  friends(member: ModelMember): number {
    const given = this.#friendsOf(member).filter(({ credit }) => credit === 'given');
    const confirmed = given.filter(({ isConfirmed }) => isConfirmed).length;
    return confirmed + Math.min(MOST_UNCONFIRMED, given.length - confirmed);
  }

  confirmed(member: ModelMember): number {
    return this.#friendsOf(member).filter(
      ({ credit, isConfirmed }) => credit === 'given' && isConfirmed,
    ).length;
  }

  /** Whether they count or not, unless their credit was taken away. */
  joined(member: ModelMember): number {
    return this.#friendsOf(member).filter(
      ({ credit }) => credit === 'given' || credit === 'pending',
    ).length;
  }

  #friendsOf(member: ModelMember): ModelMember[] {
    return this.members.filter(({ referrer }) => referrer === member);
  }

  /** First to last. */
  inOrder(): ModelMember[] {
    const points = new Map(
      this.members.map((member) => [
        member,
        2 * this.friends(member) + Number(member.isInvited) + member.adjustment,
      ]),
    );
    return this.members.toSorted(
      (a, b) => (points.get(b) ?? 0) - (points.get(a) ?? 0) || a.joinOrder - b.joinOrder,
    );
  }

  #joinAnew(name: string, code: string | null): ModelAnswer {
    const known = this.members.find((member) => member.name === name);
    const referrer =
      this.members.find((member) => code !== null && member.code === code.toUpperCase()) ?? null;
    if (known) {
      this.#again.push({ known, referrer });
      return { kind: 'known', member: known };
    }
    this.#joins += 1;
    const isInvited = referrer !== null;
    const member: ModelMember = {
      name,
      joinOrder: this.#joins,
      isInvited,
      isNew: true,
      referrer,
      others: new Set(),
      adjustment: 0,
      credit: this.credit === 'confirm' ? 'pending' : 'given',
      decidedBy: null,
      isConfirmed: false,
      id: '',
      code: '',
    };
    this.members.push(member);
    this.#everybody.push(member);
    return { kind: 'joined', member, position: 0 };
  }
}

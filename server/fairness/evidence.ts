import { Flag, hourOf, type JoinMemory, MAX_NEIGHBOURS } from './join-memory.ts';

/** The newest friends of a code represent all of them. */
const MAX_FRIENDS = 256;
/** Beyond these, a code is in no ring, and a network counts for none. */
const MAX_RING_NETWORKS = 12;
const MAX_RING_CODES = 12;
const MAX_RING_NEIGHBOURS = 40;
const MAX_SPELLINGS = 64;

/**
 * Counts include the join itself, which came by a code. Friends came by the same code, neighbours
 * from the same network by any code or none.
 */
export type Evidence = ReturnType<typeof collectEvidence>;

export function isScripted(flags: number): boolean {
  return !(flags & Flag.pageLoaded) || (flags & Flag.fast) !== 0;
}

export function collectEvidence(memory: JoinMemory, join: number) {
  const { read, columns } = memory;
  const code = read('code', join);
  const at = read('at', join);
  const hour = hourOf(at);
  const own = {
    narrow: read('narrow', join),
    wide: read('wide', join),
    hints: read('hints', join),
    domain: read('domain', join),
    stem: read('stem', join),
    shape: read('shape', join),
    flags: read('flags', join),
  };
  const same = (values: Readonly<Int32Array>, value: number, index: number) =>
    value !== 0 && values[index] === value ? 1 : 0;
  const has = (flags: number, flag: number) => (flags & flag ? 1 : 0);

  const friends = {
    all: 0,
    sameHour: 0,
    sameNarrow: 0,
    sameWide: 0,
    sameHints: 0,
    sameDomain: 0,
    sameStem: 0,
    sameShape: 0,
    random: 0,
    disposable: 0,
    coupon: 0,
    scripted: 0,
    withNetwork: 0,
  };
  const perNetwork = new Map<number, number>();
  memory.walk('code', code, MAX_FRIENDS, (_, index) => {
    friends.all += 1;
    if (hourOf(columns.at[index] as number) === hour) friends.sameHour += 1;
    friends.sameNarrow += same(columns.narrow, own.narrow, index);
    friends.sameWide += same(columns.wide, own.wide, index);
    friends.sameHints += same(columns.hints, own.hints, index);
    friends.sameDomain += same(columns.domain, own.domain, index);
    friends.sameStem += same(columns.stem, own.stem, index);
    friends.sameShape += same(columns.shape, own.shape, index);
    const flags = columns.flags[index] as number;
    friends.random += has(flags, Flag.random);
    friends.disposable += has(flags, Flag.disposable);
    friends.coupon += has(flags, Flag.coupon);
    if (isScripted(flags)) friends.scripted += 1;
    const network = columns.narrow[index] as number;
    if (network === 0) return;
    friends.withNetwork += 1;
    perNetwork.set(network, (perNetwork.get(network) ?? 0) + 1);
  });

  const neighbours = { all: 0, otherCodes: 0, sameStem: 0, random: 0, sameHints: 0 };
  const codes = new Set<number>();
  memory.walk('narrow', own.narrow, MAX_NEIGHBOURS, (neighbour, index) => {
    neighbours.all += 1;
    codes.add(codeOrJoin(neighbour, index));
    neighbours.sameStem += same(columns.stem, own.stem, index);
    neighbours.random += has(columns.flags[index] as number, Flag.random);
    neighbours.sameHints += same(columns.hints, own.hints, index);
  });
  codes.delete(code);
  neighbours.otherCodes = codes.size;

  const wideCodes = new Set<number>();
  // Most codes have one or two friends in a wide network, where this changes nothing.
  if (friends.sameWide > 4)
    memory.walk('wide', own.wide, MAX_NEIGHBOURS, (neighbour, index) => {
      wideCodes.add(codeOrJoin(neighbour, index));
    });
  wideCodes.delete(code);

  /** A visitor without a code counts as a code of their own. */
  function codeOrJoin(other: number, index: number): number {
    return columns.code[index] || -1 - other;
  }

  let isKnownMailbox = false;
  memory.walk('mailbox', read('mailbox', join), MAX_SPELLINGS, (other) => {
    if (other < join) isKnownMailbox = true;
  });
  const referrer = memory.find('ownCode', code);
  const { totals, countInLine } = memory;
  return {
    flags: own.flags,
    hasStem: own.stem !== 0,
    friends,
    networks: perNetwork.size,
    allFriends: memory.countFriends(code),
    neighbours,
    otherWideCodes: wideCodes.size,
    isKnownMailbox,
    referrer:
      referrer === null
        ? null
        : {
            sameMailbox: read('mailbox', referrer) === read('mailbox', join),
            sameNarrow: own.narrow !== 0 && read('narrow', referrer) === own.narrow,
            sameDomain: own.domain !== 0 && read('domain', referrer) === own.domain,
          },
    ringCodes: countRing(memory, code, perNetwork),
    line: {
      ...totals,
      sameHints: countInLine('hints', own.hints),
      sameShape: countInLine('shape', own.shape),
      sameDomain: countInLine('domain', own.domain),
      hour: memory.countHour(at),
    },
  };
}

/**
 * Other codes that brought friends from two or more networks of this code's friends. In a network
 * of many codes these have nothing to do with each other.
 */
function countRing(
  memory: JoinMemory,
  code: number,
  perNetwork: ReadonlyMap<number, number>,
): number {
  if (perNetwork.size < 2 || perNetwork.size > MAX_RING_NETWORKS) return 0;
  const networksOfCode = new Map<number, number>();
  for (const network of perNetwork.keys()) {
    const here: number[] = [];
    memory.walk('narrow', network, MAX_RING_NEIGHBOURS, (_, index) => {
      const other = memory.columns.code[index] as number;
      if (other !== 0 && other !== code && !here.includes(other)) here.push(other);
    });
    if (here.length > MAX_RING_CODES) continue;
    for (const other of here) networksOfCode.set(other, (networksOfCode.get(other) ?? 0) + 1);
  }
  let ring = 0;
  for (const networks of networksOfCode.values()) if (networks > 1) ring += 1;
  return ring;
}

/** What is known about a join and its code at this moment, counted in the memory of joins. */
import { type Evidence, isScripted } from './doubt-rules.ts';
import { Flag, type JoinMemory } from './join-memory.ts';

/** The newest friends of a code stand for all of them. */
const MAX_FRIENDS = 256;
/** The newest joins of a network stand for all of them. */
const MAX_NEIGHBOURS = 160;
/** A code with friends from more networks is in no ring; nor are more codes in one network. */
const MAX_RING_NETWORKS = 12;
const MAX_RING_CODES = 12;
const MAX_RING_NEIGHBOURS = 40;
/** Of one mailbox: the first is known after so many. */
const MAX_SPELLINGS = 64;

/** Of a join that came by a code and is in the memory. */
export function collectEvidence(memory: JoinMemory, join: number): Evidence {
  const { read } = memory;
  const code = read('code', join);
  const own = {
    narrow: read('narrow', join),
    wide: read('wide', join),
    hints: read('hints', join),
    domain: read('domain', join),
    stem: read('stem', join),
    shape: read('shape', join),
    flags: read('flags', join),
  };
  const has = (other: number, flag: number) => (read('flags', other) & flag) !== 0;
  const equals = (
    field: 'narrow' | 'wide' | 'hints' | 'domain' | 'stem' | 'shape',
    other: number,
  ) => own[field] !== 0 && read(field, other) === own[field];

  const friends = {
    all: 0,
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
  memory.walk('code', code, MAX_FRIENDS, (friend) => {
    friends.all += 1;
    if (equals('narrow', friend)) friends.sameNarrow += 1;
    if (equals('wide', friend)) friends.sameWide += 1;
    if (equals('hints', friend)) friends.sameHints += 1;
    if (equals('domain', friend)) friends.sameDomain += 1;
    if (equals('stem', friend)) friends.sameStem += 1;
    if (equals('shape', friend)) friends.sameShape += 1;
    if (has(friend, Flag.random)) friends.random += 1;
    if (has(friend, Flag.disposable)) friends.disposable += 1;
    if (has(friend, Flag.coupon)) friends.coupon += 1;
    if (isScripted(read('flags', friend))) friends.scripted += 1;
    const network = read('narrow', friend);
    if (network === 0) return;
    friends.withNetwork += 1;
    perNetwork.set(network, (perNetwork.get(network) ?? 0) + 1);
  });

  const neighbours = { all: 0, otherCodes: 0, sameStem: 0, random: 0, sameHints: 0 };
  const codes = new Set<number>();
  memory.walk('narrow', own.narrow, MAX_NEIGHBOURS, (neighbour) => {
    neighbours.all += 1;
    codes.add(codeOrJoin(neighbour));
    if (equals('stem', neighbour)) neighbours.sameStem += 1;
    if (has(neighbour, Flag.random)) neighbours.random += 1;
    if (equals('hints', neighbour)) neighbours.sameHints += 1;
  });
  codes.delete(code);
  neighbours.otherCodes = codes.size;

  const wideCodes = new Set<number>();
  // Only where it can matter: most codes have one friend or two in a wide network.
  if (friends.sameWide > 4)
    memory.walk('wide', own.wide, MAX_NEIGHBOURS, (neighbour) => {
      wideCodes.add(codeOrJoin(neighbour));
    });
  wideCodes.delete(code);

  /** Somebody who came without a code is somebody else, too. */
  function codeOrJoin(other: number): number {
    return read('code', other) || -1 - other;
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
            sameNarrow: equals('narrow', referrer),
            sameDomain: equals('domain', referrer),
          },
    ringCodes: countRing(memory, code, perNetwork),
    line: {
      joins: totals.joins,
      hinted: totals.hinted,
      pageLoaded: totals.pageLoaded,
      fast: totals.fast,
      sameHints: countInLine('hints', own.hints),
      sameShape: countInLine('shape', own.shape),
      sameDomain: countInLine('domain', own.domain),
    },
  };
}

/**
 * Other codes that brought friends from two or more networks of this code's friends. Where many
 * codes are, they have nothing to do with each other.
 */
function countRing(
  memory: JoinMemory,
  code: number,
  perNetwork: ReadonlyMap<number, number>,
): number {
  if (perNetwork.size < 2 || perNetwork.size > MAX_RING_NETWORKS) return 0;
  const networksOfCode = new Map<number, number>();
  for (const network of perNetwork.keys()) {
    const here = new Set<number>();
    memory.walk('narrow', network, MAX_RING_NEIGHBOURS, (neighbour) => {
      const other = memory.read('code', neighbour);
      if (other !== 0 && other !== code) here.add(other);
    });
    if (here.size > MAX_RING_CODES) continue;
    for (const other of here) networksOfCode.set(other, (networksOfCode.get(other) ?? 0) + 1);
  }
  return [...networksOfCode.values()].filter((networks) => networks > 1).length;
}

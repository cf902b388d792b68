import { At, Flag, type JoinMemory, MAX_NEIGHBOURS } from './join-memory.ts';

/** The newest friends of a code represent all of them. */
const MAX_FRIENDS = 256;
const MAX_SPELLINGS = 64;

/** Friends came by the same code, and earlier: a rating stays, whoever joins later. */
export type Evidence = ReturnType<typeof collectEvidence>;

const isScripted = (flags: number) => !(flags & Flag.pageLoaded) || (flags & Flag.fast) !== 0;

export function collectEvidence(memory: JoinMemory, join: number) {
  const { read, rows } = memory;
  const own = memory.rowOf(join);
  const code = read('code', join);

  const friends = {
    all: 0,
    withNetwork: 0,
    sameNarrow: 0,
    sameWide: 0,
    sameHints: 0,
    sameStem: 0,
    sameBrowser: 0,
    scripted: 0,
  };
  const isSame = (at: number, row: number) => {
    const value = rows[row + at];
    return value !== 0 && value === rows[own + at];
  };
  memory.walk('code', code, MAX_FRIENDS, (_, row) => {
    friends.all += 1;
    if (rows[row + At.narrow] !== 0) friends.withNetwork += 1;
    if (isSame(At.stem, row)) friends.sameStem += 1;
    if (isSame(At.hints, row)) friends.sameHints += 1;
    if (!isSame(At.wide, row)) return;
    friends.sameWide += 1;
    if (isScripted(rows[row + At.flags] as number)) friends.scripted += 1;
    if (!isSame(At.narrow, row)) return;
    friends.sameNarrow += 1;
    if (isSame(At.hints, row)) friends.sameBrowser += 1;
  });

  const countOtherCodes = (field: 'narrow' | 'wide') => {
    const codes = new Set<number>();
    memory.walk(field, read(field, join), MAX_NEIGHBOURS, (neighbour, row) => {
      codes.add(rows[row + At.code] || -1 - neighbour);
    });
    codes.delete(code);
    return codes.size;
  };

  let isKnownMailbox = false;
  memory.walk('mailbox', read('mailbox', join), MAX_SPELLINGS, (other) => {
    if (other < join) isKnownMailbox = true;
  });
  const referrer = memory.find('ownCode', code);
  return {
    flags: read('flags', join),
    friends,
    otherCodes: countOtherCodes('narrow'),
    // Most codes have one or two friends in a wide network, where this changes nothing.
    otherWideCodes: friends.sameWide > 4 ? countOtherCodes('wide') : 0,
    isKnownMailbox,
    isOwnMailbox: referrer !== null && read('mailbox', referrer) === read('mailbox', join),
    line: { ...memory.totals, sameHints: memory.countHints(read('hints', join)) },
  };
}

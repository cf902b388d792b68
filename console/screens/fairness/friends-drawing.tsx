import type { DrawnFriend } from '../../../contract/operator/credits/first-in-line.ts';

/** Milliseconds since 1970: the same for all drawings of a list, so that they compare. */
export type Period = { readonly from: number; readonly to: number };

const [COLUMNS, CELL, HEIGHT] = [48, 5, 40];
const WIDTH = COLUMNS * CELL;
const SQUARES = 40;
const [SQUARE, SQUARE_TOP] = [6, HEIGHT + 6];

/** Friends who joined earlier than a month ago are at the left end. */
const LONGEST_MS = 30 * 24 * 3600 * 1000;

export function periodOf(drawn: readonly (readonly DrawnFriend[])[]): Period {
  const to = Date.now();
  const times = drawn.flatMap((friends) => friends.map(({ at }) => Date.parse(at)));
  const first = times.reduce((least, time) => Math.min(least, time), to);
  return { from: Math.max(first, to - LONGEST_MS), to };
}

type DrawingProps = {
  readonly drawn: readonly DrawnFriend[];
  readonly period: Period;
  readonly label: string;
};

/** Above, a dot per friend over time; below, squares filled where the mailbox costs something. */
export function FriendsDrawing({ drawn, period, label }: DrawingProps) {
  return (
    <svg
      className="friends-drawing"
      viewBox={`0 0 ${WIDTH} ${SQUARE_TOP + SQUARE}`}
      role="img"
      aria-label={label}
    >
      <path className="drawing-axis" d={`M0 ${HEIGHT + 0.5}H${WIDTH}`} />
      {placeDots(drawn, period).map(({ x, y, friend: { network, state } }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={2.1} data-network={network} data-state={state} />
      ))}
      {sampleSquares(drawn).map(({ mailbox, state }, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: squares have no identity.
          key={index}
          x={index * SQUARE + 0.5}
          y={SQUARE_TOP + 0.5}
          width={SQUARE - 2}
          height={SQUARE - 2}
          data-mailbox={mailbox}
          data-state={state}
        />
      ))}
    </svg>
  );
}

function placeDots(drawn: readonly DrawnFriend[], { from, to }: Period) {
  const columns = Map.groupBy(drawn, ({ at }) => {
    const part = (Date.parse(at) - from) / Math.max(1, to - from);
    return Math.min(COLUMNS - 1, Math.max(0, Math.floor(part * COLUMNS)));
  });
  return [...columns].flatMap(([column, friends]) => {
    const step = Math.min(CELL, (HEIGHT - CELL) / Math.max(1, friends.length - 1));
    return friends
      .toSorted((a, b) => b.network - a.network)
      .map((friend, index) => ({
        x: (column + 0.5) * CELL,
        y: HEIGHT - CELL / 2 - index * step,
        friend,
      }));
  });
}

const STATES: readonly DrawnFriend['state'][] = ['counts', 'unconfirmed', 'held', 'refused'];
const rankOf = ({ state, mailbox }: DrawnFriend) =>
  2 * STATES.indexOf(state) + Number(mailbox === 'open');

function sampleSquares(drawn: readonly DrawnFriend[]): readonly DrawnFriend[] {
  const sorted = drawn.toSorted((a, b) => rankOf(a) - rankOf(b));
  if (sorted.length <= SQUARES) return sorted;
  return Array.from(
    { length: SQUARES },
    (_, index) => sorted[Math.floor(((index + 0.5) * sorted.length) / SQUARES)] as DrawnFriend,
  );
}

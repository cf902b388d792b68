/** Pictures of rewards in a box of 64 by 64: pages show them, and mails about a tier. */
type RewardDrawing = {
  readonly outline: string;
  /** Where the member's face is on it; its height is 1.4 of its width. */
  readonly face: { readonly x: number; readonly y: number; readonly width: number };
};

/** A face that is at least so wide has room for dots. */
export const DOTTED_FROM = 28;

export const REWARD_DRAWINGS = {
  stickers: {
    outline: 'M8 12h26v34H8ZM38 18h4l14 3-6 33-24-5v-3',
    face: { x: 12, y: 17, width: 18 },
  },
  band: {
    outline: 'M6 27c0-15 52-15 52 0v10c0 15-52 15-52 0ZM6 27c0 15 52 15 52 0',
    face: { x: 27.5, y: 38, width: 9 },
  },
  shirt: {
    outline: 'M24 9 6 17l5 14 7-2v26h28V29l7 2 5-14-18-8c-3 6-13 6-16 0Z',
    face: { x: 24, y: 21, width: 16 },
  },
  print: { outline: 'M11 3h42v58H11ZM25 56h14', face: { x: 15, y: 5, width: 34 } },
  jacket: {
    outline:
      'M24 5 11 10 3 52h10l3-18v26h32V34l3 18h10L53 10 40 5q-8 6-16 0ZM16 55h32M24 5q8 11 16 0',
    face: { x: 18, y: 12, width: 28 },
  },
  ticket: {
    outline: 'M5 18h54v9a5 5 0 0 0 0 10v9H5v-9a5 5 0 0 0 0-10ZM42 21v3m0 4v3m0 4v3m0 4v1',
    face: { x: 17, y: 21, width: 15 },
  },
} satisfies Readonly<Record<string, RewardDrawing>>;

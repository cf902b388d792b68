/** Ids of the parts of the page /draw that its script fills in. */
export const DRAW_PARTS = {
  state: 'draw-state',
  problems: 'draw-problems',
  form: 'draw-form',
  id: 'draw-id',
  own: 'draw-own',
  facts: 'draw-facts',
  /** Hidden until a list is frozen. */
  frozen: 'draw-frozen',
} as const;

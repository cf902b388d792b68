export const DRAW_PARTS = {
  state: 'draw-state',
  problems: 'draw-problems',
  form: 'draw-form',
  id: 'draw-id',
  own: 'draw-own',
  facts: 'draw-facts',
  frozen: 'draw-frozen',
} as const;

export const DRAW_PARTS = {
  state: 'draw-state',
  problems: 'draw-problems',
  form: 'draw-form',
  id: 'draw-id',
  own: 'draw-own',
  facts: 'draw-facts',
  notedForm: 'draw-noted-form',
  noted: 'draw-noted',
  given: 'draw-given',
  givenCard: 'draw-given-card',
  frozen: 'draw-frozen',
} as const;

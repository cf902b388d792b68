/** What an entry by card means for its member, in plain words. */

const WHY = {
  duplicate: 'This card is in the draw already, and one card is one ticket.',
  prepaid: 'Prepaid cards cannot enter this draw.',
  amount: 'Your card did not reserve the price of a mask.',
  unknown: 'We cannot tell this card from others: please take another one.',
  lapsed: 'Your bank has ended the reservation.',
  refused: 'You were drawn, but your bank refused the payment, so the mask went to the next.',
  'not-drawn': 'The draw is made, and no mask came to you.',
  withdrawn: 'You left the draw.',
  undone: 'This drop was stopped.',
};
const NOTHING_TAKEN = 'Nothing was taken from your card.';

type Entry = {
  readonly state: string | null;
  readonly why: keyof typeof WHY | null;
  readonly may_enter: boolean;
  readonly price: string | null;
};

/** `time`: when the time to enter is over, in words. */
export function entryWords(
  { state, why, may_enter: mayEnter, price }: Entry,
  { isDrawn, time }: { readonly isDrawn: boolean; readonly time: string },
): { readonly title: string; readonly text: string } {
  const amount = price ?? 'Its price';
  const reserved = `${amount} are reserved on your card, and given back if you are not drawn.`;
  const reason = why === null ? '' : `${WHY[why]} ${NOTHING_TAKEN} `;
  if (mayEnter)
    return {
      title: why === null ? 'Enter the draw' : 'You can enter again',
      text:
        `${reason}To be in the draw, enter your card by ${time}. ${amount} are reserved on it, ` +
        'and given back if you are not drawn. If you are, they are taken at once, and the mask ' +
        'is yours. One card is one ticket.',
    };
  if (isDrawn && (state === 'held' || state === 'created' || state === 'wanted'))
    return {
      title: 'The draw is made',
      text: 'Masks go along the draw order now: your card is charged, or released within the hour.',
    };
  switch (state) {
    case 'wanted':
      return { title: 'Enter the draw', text: 'Your checkout is being made: a moment.' };
    case 'created':
      return {
        title: 'Enter your card',
        text: `By ${time}. ${amount} are reserved on it, and given back if you are not drawn.`,
      };
    case 'held':
      return { title: 'You are in the draw', text: reserved };
    case 'releasing':
      return { title: 'Your card is being released', text: reason.trim() };
    default:
      return {
        title: state === null || why === null ? 'You did not enter' : 'Your card is released',
        text: reason.trim() || 'The time to enter this draw by card is over.',
      };
  }
}

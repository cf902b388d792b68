/** What the status page without script says about the drop. */
import { stateOf, wordsOf } from '../../../contract/drop/place-words.ts';
import type { PlainStatusPlace } from '../../../contract/plain-status.ts';
import type { DropStanding } from '../../drop/views/drop-standing.ts';

type Places = Record<Extract<PlainStatusPlace, `drop${string}`>, string>;

/** All empty while there is nothing to say. */
export function describeDrop(standing: DropStanding | null): Places {
  const state = standing && stateOf(standing.place, standing.offer);
  if (standing === null || state === null)
    return { 'drop-number': '', 'drop-title': '', 'drop-text': '' };
  const { place, offer } = standing;
  const { title, text } =
    state === 'offered' || state === 'pass'
      ? wordsOfOffer(offer)
      : wordsOf(state, { place, time: offer?.until ?? '' });
  return { 'drop-number': String(place.drop), 'drop-title': title, 'drop-text': text };
}

/** The link in the mail acts by script alone: its secret part reaches no server by itself. */
function wordsOfOffer(offer: DropStanding['offer']): { title: string; text: string } {
  const mail = 'open the link in your mail in a browser that runs scripts.';
  if (offer?.state === 'open')
    return {
      title: 'One mask is yours to take',
      text:
        `A mask in size ${offer.size} is set aside for you until ${offer.until}. ` +
        `To answer, ${mail}`,
    };
  if (offer?.state === 'redeemed')
    return {
      title: 'Your pass is used',
      text: `You bought your mask in size ${offer.size}. Your order is with the shop.`,
    };
  return {
    title: 'You have a pass',
    text:
      `It opens the shop once, for one mask in size ${offer?.size}. ` + `To see its code, ${mail}`,
  };
}

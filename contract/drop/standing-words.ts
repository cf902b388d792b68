/** What a drop means for its members, in words that the server sends to their pages. */
import type { DropPlaceView, DropWords, Odds } from './drop-views.ts';
import { countOf, STAYS, stateOf } from './place-words.ts';
import { weightWords } from './weight-rules.ts';

type Place = Omit<DropPlaceView, 'words' | 'card_entry'>;

/** For a member without an offer in the drop; null while the line is open. */
export function standingWords(place: Place): DropWords | null {
  switch (stateOf(place, null)) {
    case 'frozen':
      return {
        title: 'You are on the list',
        text:
          `Your place is fixed: friends and points no longer change it for drop ${place.drop}. ` +
          (place.odds === null
            ? 'Next, masks go by a rule that is published first, and anybody can check the draw.'
            : oddsWords(place.odds)),
      };
    case 'not-listed':
      return {
        title: "You're in line for the next drop",
        text:
          `The list of drop ${place.drop} is closed. Your place and your friends count for drop ` +
          `${place.drop + 1}.`,
      };
    case 'chosen':
      return {
        title: 'You are chosen',
        text:
          `The draw gave you a mask in size ${place.size}. Your offer is open for a short time. ` +
          (place.is_mailed
            ? 'It comes by mail and on this page, so keep an eye on both.'
            : `It shows on this page. ${NO_MAIL}`),
      };
    case 'waiting':
      return {
        title: 'Not chosen yet',
        text:
          `The draw put you at number ${place.place}. ` +
          (place.can_return ? waitingWords(place) : `No mask that you take is left. ${STAYS}`),
      };
    case 'over':
      return {
        title: 'This drop is over',
        text:
          place.position === null
            ? `You were not on its list. ${STAYS}`
            : `No mask came to you this time. ${STAYS}`,
      };
    default:
      return null;
  }
}

export function withOdds({ title, text }: DropWords, odds: Odds | null): DropWords {
  return { title, text: odds === null ? text : `${text} ${oddsWords(odds)}` };
}

const NO_MAIL = 'Our mail does not reach you: write to us, so that you can answer an offer.';

function waitingWords({ odds, is_mailed: isMailed }: Place): string {
  return (
    'Masks go in that order, and one that nobody takes goes to the next. ' +
    (odds === null ? '' : `${oddsWords(odds)} `) +
    (isMailed ? 'If one comes to you, we mail you at once.' : NO_MAIL)
  );
}

function oddsWords({ kind, percent, masks, among, weight }: Odds): string {
  switch (kind) {
    case 'by-rank':
      return 'You are among the first, who get a mask by rank: no draw changes that.';
    case 'draw':
      return (
        `The draw gives you a mask with odds of ${describePercent(percent ?? 0)}: by the ` +
        `announced rule, with ${countOf(masks, 'mask')} among ${countOf(among, 'entrant')} in ` +
        'the sizes that each takes.' +
        (weight === null ? '' : ` You have ${weightWords(weight)}: ${WEIGHTS}`)
      );
    case 'behind':
      return 'The draw ends before your place: a mask comes to you only if others leave it.';
    case 'return':
      return (
        `So far ${masks} of ${countOf(among, 'offer')} ` +
        `${masks === 1 ? 'was' : 'were'} not taken.`
      );
  }
}

const WEIGHTS = 'one, and more for friends who confirmed and for lost drops that count.';

function describePercent(percent: number): string {
  return percent < 1 ? 'less than 1 %' : percent > 99 ? 'more than 99 %' : `about ${percent} %`;
}

/** What a drop means for its members, on their page with and without script, and in answers. */

type DropWords = { readonly title: string; readonly text: string };
type Refund = 'due' | 'done' | null;

type Odds = {
  readonly kind: 'by-rank' | 'draw' | 'behind' | 'return';
  readonly percent: number | null;
  readonly masks: number;
  readonly among: number;
  readonly weight: number | null;
};

/** Where a member stands in a drop. */
type Place = {
  readonly drop: number;
  readonly position: number | null;
  readonly place: number | null;
  readonly size: string | null;
  readonly odds: Odds | null;
  readonly can_return: boolean;
  readonly is_mailed: boolean;
};

/** Writes the weight of a ticket, such as "1.5 tickets". */
type WeightWords = (weight: number) => string;

export function editionWords(
  { number, masks }: { readonly number: number; readonly masks: number },
  language: string,
): readonly [before: string, number: string, after: string] {
  const digits = String(masks).length;
  return ['Mask', String(number).padStart(digits, '0'), `of ${masks.toLocaleString(language)}`];
}

/** How far the mask of a pass has come, for its holder; '' before it is known to be paid. */
export function passWords(state: string, refund: Refund = null): string {
  switch (state) {
    case 'paid':
      return refund === null
        ? 'Paid. It is sent to you, or handed over at the door for this pass.'
        : `${refundWords(refund)} So this pass brings no mask. Ask us if that surprises you.`;
    case 'handed_over':
      return 'You have your mask.';
    case 'sent':
      return 'Your mask is on its way.';
    default:
      return '';
  }
}

/** What became of the payment for a pass; '' without one, and where the pass stands. */
export function refundWords(refund: Refund): string {
  if (refund === null) return '';
  return refund === 'done' ? 'What you paid was given back.' : 'What you paid goes back to you.';
}

/** What accepting an offer costs, and until when; '' where only the shop says it. */
export function termsWords({
  price,
  pay_hours: hours,
}: {
  readonly price: string | null;
  readonly pay_hours: number | null;
}): string {
  return [
    ...(price === null ? [] : [`It costs ${price}.`]),
    ...(hours === null ? [] : [`Once you accept, you have ${countOf(hours, 'hour')} to pay.`]),
  ].join(' ');
}

const STAYS = 'Your place in the line and your rewards stay.';

/** Null unless an offer, or a pass, has ended. `time`: when the offer ended. */
export function endedWords(
  state: string | null,
  { isDropOver, time }: { readonly isDropOver: boolean; readonly time: string },
): DropWords | null {
  switch (state) {
    case 'declined':
      return {
        title: 'You declined',
        text: isDropOver
          ? `You left your mask to somebody else, and this drop is over. ${STAYS}`
          : `Your mask goes to the next in the draw order. ${STAYS}`,
      };
    case 'expired':
      return {
        title: 'Time ran out',
        text: isDropOver
          ? `Your offer ended without an answer, and this drop is over. ${STAYS}`
          : `Your offer ended at ${time} without an answer, so the mask goes to the next in ` +
            `the draw order. ${STAYS}`,
      };
    case 'cancelled':
      return {
        title: 'This pass was cancelled',
        text: 'It no longer opens the shop. If that surprises you, reply to our mail.',
      };
    case 'unpaid':
      return {
        title: 'Not paid in time',
        text: `This pass ended without a payment, so its mask goes to somebody else. ${STAYS}`,
      };
    default:
      return null;
  }
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Null: the words of an open line are true. */
export type LineWords = {
  /** Null after the freeze for who joined since, whose place still changes. */
  readonly note: string | null;
  readonly invite: string | null;
  readonly isFixed: boolean;
  readonly nextDrop: string;
  readonly meter: { readonly text: string; readonly position: number | null } | null;
};

type LinePlace = Pick<Place, 'drop' | 'position'> & {
  readonly state: string;
  readonly is_paused: boolean;
};

/** `isPass`: the member has a pass of the drop, which is shown. */
export function lineWordsOf(place: LinePlace, isPass: boolean): LineWords | null {
  const isFixed = place.state !== 'open' && place.state !== 'closed';
  if (!isPass && place.state === 'open') return null;
  const { position, drop } = place;
  const nextDrop = `drop ${drop + 1}`;
  const fixed = { isFixed, nextDrop, invite: inviteWords(place, isFixed) };
  if (isPass) {
    const note = 'Your mask does not depend on your place in the line.';
    return { ...fixed, note, meter: { text: 'One is yours', position } };
  }
  if (!isFixed) return { ...fixed, note: `Drop ${drop} is over.`, meter: null };
  if (position === null)
    return { ...fixed, note: null, meter: { text: `Counts for ${nextDrop}`, position } };
  const note = `The order of drop ${drop} is fixed.`;
  return { ...fixed, note, meter: { text: `Frozen at #${position}`, position } };
}

function inviteWords(place: LinePlace, isFixed: boolean): string | null {
  if (place.is_paused) return 'Nobody can join now. Your invite works again once joining is open.';
  if (!isFixed || place.position === null) return null;
  return (
    `Friends no longer change the order of drop ${place.drop}. They count for rewards and the ` +
    'next drop.'
  );
}

/** For a member without an offer in the drop; null while the line is open. */
export function standingWords(
  state: string | null,
  place: Place,
  weightWords: WeightWords,
): DropWords | null {
  switch (state) {
    case 'frozen':
      return {
        title: 'You are on the list',
        text:
          `Your place is fixed: friends and points no longer change it for drop ${place.drop}. ` +
          (place.odds === null
            ? 'Next, masks go by a rule that is published first, and anybody can check the draw.'
            : oddsWords(place.odds, weightWords)),
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
          (place.can_return
            ? waitingWords(place, weightWords)
            : `No mask that you take is left. ${STAYS}`),
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

export function withOdds(
  { title, text }: DropWords,
  odds: Odds | null,
  weightWords: WeightWords,
): DropWords {
  return { title, text: odds === null ? text : `${text} ${oddsWords(odds, weightWords)}` };
}

const NO_MAIL = 'Our mail does not reach you: write to us, so that you can answer an offer.';

function waitingWords({ odds, is_mailed: isMailed }: Place, weightWords: WeightWords): string {
  return (
    'Masks go in that order, and one that nobody takes goes to the next. ' +
    (odds === null ? '' : `${oddsWords(odds, weightWords)} `) +
    (isMailed ? 'If one comes to you, we mail you at once.' : NO_MAIL)
  );
}

function oddsWords(
  { kind, percent, masks, among, weight }: Odds,
  weightWords: WeightWords,
): string {
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

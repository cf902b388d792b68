/** The mails that a brand writes: a new kind of mail begins with a line here. */

/** A text by the plural rules of the brand's language: `one` and `other` in English. */
export type CountedText = { readonly other: string } & {
  readonly [form in Intl.LDMLPluralRule]?: string;
};

/** The words of one mail. Values are in braces, as `{position}`; the build rejects unknown ones. */
export type MailText = {
  readonly subject: string | CountedText;
  /** Shown by mail apps beside the subject. */
  readonly preview: string | CountedText;
  /** Three lines, the middle one large and charged; any may be empty. */
  readonly headline: readonly [string | CountedText, string | CountedText, string | CountedText];
  readonly text: readonly (string | CountedText)[];
  readonly button: string;
  readonly note: string;
};

/** Values by their name, with an example of each. The first, if a number, selects the plural. */
type Examples = Readonly<Record<string, string | number>>;

export type MailShape = {
  /** What owners call the mail. */
  readonly label: string;
  /** The brand can switch it off. Every other mail is always sent. */
  readonly isSwitched?: true;
} & (
  | { readonly values: Examples }
  /** A mail that says one of several things has words for each. */
  | { readonly forms: Readonly<Record<string, Examples>> }
);

const SIZE = { size: 'Medium' };
const PRICE = { price: '€99.00' };
const UNTIL = { until: 'November 22 at 8:00 PM UTC' };
/** `{terms}` stands for sentences of `terms`. */
const TERMS = { terms: '' };
const POSITION = { position: 128 };
const REWARD = { reward: 'A reward' };

/** What the words of each mail may name in braces. */
export const MAIL_SHAPES = {
  welcome: { label: 'Welcome', isSwitched: true, values: POSITION },
  confirm: {
    label: 'Confirmation',
    isSwitched: true,
    values: { validDays: 7, position: 1_204_512 },
  },
  'status-link': { label: 'Status link', isSwitched: true, values: { position: 1 } },
  /** To a friend who has not confirmed, who has no position yet. */
  'confirm-reminder': {
    label: 'Reminder to confirm',
    isSwitched: true,
    forms: { dated: { freezesAt: UNTIL.until }, undated: {} },
  },
  friends: {
    label: 'New friends',
    isSwitched: true,
    values: { newFriends: 3, referralCount: 7, position: 41 },
  },
  tier: { label: 'Tier reached', isSwitched: true, values: { level: 2, ...REWARD } },
  /** Asks for the address to which a reward is sent. */
  reward: { label: 'Reward asked about', isSwitched: true, values: REWARD },
  /** Brings a reward that is a shop code. */
  'reward-code': {
    label: 'Reward code sent',
    isSwitched: true,
    values: { ...REWARD, code: '7KQF-2M9X-HTWB-4RZD' },
  },
  top100: {
    label: 'Top of the line',
    isSwitched: true,
    forms: {
      entered: { placesToGo: 0, position: 98 },
      left: { placesToGo: 4, position: 104 },
    },
  },
  offer: { label: 'Mask offered', values: { ...SIZE, ...UNTIL, ...TERMS } },
  'offer-reminder': { label: 'Offer ends soon', values: { ...SIZE, ...UNTIL, ...TERMS } },
  /** Comes again with another code. */
  pass: { label: 'Pass given', values: { ...SIZE, ...TERMS } },
  'pass-paid': { label: 'Mask paid', values: SIZE },
  'pay-reminder': { label: 'Pass not paid yet', values: { ...SIZE, ...UNTIL } },
  'pass-unpaid': { label: 'Pass not paid in time', values: SIZE },
  /** `{note}` is what the operator wrote as the reason. */
  'pass-cancelled': {
    label: 'Pass cancelled',
    values: { ...SIZE, note: 'The shop refunded your order.' },
  },
  'offer-ended': { label: 'Offer ended with the drop', values: SIZE },
  /** Asks entrants to enter by card. */
  enter: { label: 'Can enter by card', values: { ...PRICE, ...UNTIL } },
  /** Twelve hours before the end, for whoever has not. */
  'enter-reminder': { label: 'Has not entered by card', values: { ...PRICE, ...UNTIL } },
  /** The card holds the price until the draw. */
  entered: { label: 'Entered by card', values: PRICE },
  /** The card holds nothing any more; `{reason}` is a sentence of `entryReasons`. */
  'entry-over': {
    label: 'Card released',
    values: { ...PRICE, reason: 'The draw went to others.' },
  },
  'mask-address': { label: 'Address of the mask asked about', values: SIZE },
  'mask-sent': {
    label: 'Mask sent',
    values: { ...SIZE, carrier: 'DHL', tracking: '00340434161094021501' },
  },
  /** `waiting` where a mask that nobody takes may still come to the member, `over` elsewhere. */
  'not-chosen': {
    label: 'No mask this time',
    isSwitched: true,
    forms: { waiting: POSITION, over: POSITION },
  },
} as const satisfies Readonly<Record<string, MailShape>>;

type Shapes = typeof MAIL_SHAPES;
export type NewsKind = keyof Shapes;
/** The words of a campaign are an operator's. */
export type MailKind = NewsKind | 'campaign';

/** The values of each form of a mail. Most mails have one, which has no name. */
export function formsOf(shape: MailShape): Readonly<Record<string, Examples>> {
  return 'forms' in shape ? shape.forms : { '': shape.values };
}

export function mapShapes<T>(map: (shape: MailShape, kind: NewsKind) => T): Record<NewsKind, T> {
  const mapped = Object.entries(MAIL_SHAPES).map(([kind, shape]) => [
    kind,
    map(shape, kind as NewsKind),
  ]);
  return Object.fromEntries(mapped);
}

export const KIND_LABELS: Readonly<Record<MailKind, string>> = {
  ...mapShapes(({ label }) => label),
  campaign: 'Campaign',
};

/** Mails about an offer, whose words may name its size. */
export type OfferMailKind = {
  [Kind in NewsKind]: Shapes[Kind] extends { values: { size: string } } ? Kind : never;
}[NewsKind];

export type NewsTexts = {
  readonly [Kind in NewsKind]: (Shapes[Kind] extends { forms: infer Forms }
    ? { readonly [Form in keyof Forms]: MailText }
    : MailText) &
    (Shapes[Kind] extends { isSwitched: true } ? { readonly isOn: boolean } : unknown);
};

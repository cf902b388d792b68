import type { Brand, Product } from '../../../brand/brand-shape.ts';
import { formsOf, type MailShape, mapShapes } from '../../../brand/mail-shape.ts';
import { REWARD_DRAWINGS } from '../../../contract/reward-drawings.ts';
import {
  anyText,
  type Check,
  counted,
  expected,
  flag,
  inSequence,
  list,
  object,
  oneOf,
  optional,
  text,
  wholeNumber,
} from './value-checks.ts';

const MAX_PIECES = 1_000_000;
const MAX_REFERRALS = 1_000_000;
const MAX_SIZE_NAME_LENGTH = 100;

export function findBrandFaults(brand: unknown): string[] {
  const isObject = typeof brand === 'object' && brand !== null && !Array.isArray(brand);
  return isObject ? checkBrandFile(brand, '') : ['it must export an object named brand.'];
}

const isPair = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);

const fromToCm = expected(
  'two numbers of centimetres, the smaller one first',
  (value) => isPair(value) && value[0] > 0 && value[0] < value[1],
);

const onMask = expected(
  'a point [u, v] of the mask: u from -1 to 1, v from -1.2 to 1.16',
  (value) => isPair(value) && Math.abs(value[0]) <= 1 && value[1] >= -1.2 && value[1] <= 1.16,
);

const words: Check = counted(text);
const mayBeEmpty: Check = counted(anyText);

const mailText = {
  subject: words,
  preview: words,
  headline: list(mayBeEmpty, { min: 3, max: 3 }),
  text: list(words),
  button: text,
  note: anyText,
};

/** Checks the words of a kind of mail, and its switch. */
function mailOf(shape: MailShape): Check {
  const forms = Object.keys(formsOf(shape)).map((form) => [form, object(mailText)]);
  const words = 'forms' in shape ? Object.fromEntries(forms) : mailText;
  return object<Record<string, unknown>>({
    ...(shape.isSwitched && { isOn: flag }),
    ...words,
  });
}

const language = expected(
  'a language tag such as en or pt-BR',
  (value) => typeof value === 'string' && isLanguageTag(value),
);

const sizeName = expected(
  `a text of 1 to ${MAX_SIZE_NAME_LENGTH} printable characters`,
  (value) =>
    typeof value === 'string' &&
    value === value.trim() &&
    /^\P{C}+$/u.test(value) &&
    value.length <= MAX_SIZE_NAME_LENGTH,
);

/** A page must not link to an address that a browser would run. */
function linkTo(...protocols: readonly string[]): Check {
  return expected(
    `an address that begins with ${protocols.join(' or ')}`,
    (value) =>
      typeof value === 'string' &&
      URL.canParse(value) &&
      protocols.includes(new URL(value).protocol),
  );
}

const checkBrandFile: Check = inSequence(
  object<Brand>({
    name: text,
    language,
    copy: object<Brand['copy']>({
      headline: list(text, { min: 2, max: 2 }),
      tagline: text,
      formNote: text,
      mailNote: text,
      meterTitle: text,
      proofNote: text,
      landingTitle: text,
      landingDescription: text,
      inviteTitle: text,
      inviteDescription: text,
      inviteNote: text,
      facesTitle: text,
      facesNote: text,
      facesAlt: text,
      inviterFaceTitle: text,
      faceTitle: text,
      faceNote: text,
      shareTitle: text,
      shareText: text,
      nextShareText: text,
      enteredTop: text,
      notFoundTitle: text,
      notFoundText: text,
    }),
    links: object<Brand['links']>({
      contact: optional(linkTo('mailto:', 'https:')),
      privacy: optional(linkTo('https:')),
    }),
    specified: object<Brand['specified']>({
      memberName: text,
      joined: text,
      statusLoading: text,
      statusNotFound: text,
      totalMembers: text,
    }),
    mails: object<Brand['mails']>({
      faces: object<Brand['mails']['faces']>({ display: text, text, mono: text }),
      invite: object<Brand['mails']['invite']>({
        title: text,
        label: text,
        note: text,
        fixedNote: text,
      }),
      facts: object<Brand['mails']['facts']>({
        friends: text,
        position: text,
        nextReward: text,
      }),
      footer: object<Brand['mails']['footer']>({
        why: text,
        status: text,
        confirm: text,
        answer: text,
        preferences: text,
        resume: text,
        draw: text,
      }),
      terms: object<Brand['mails']['terms']>({
        price: text,
        payHours: words,
        payBy: text,
        code: text,
      }),
      entryReasons: object<Brand['mails']['entryReasons']>({
        duplicate: text,
        prepaid: text,
        amount: text,
        unknown: text,
        lapsed: text,
        refused: text,
        'not-drawn': text,
        undone: text,
        again: text,
      }),
      ...mapShapes(mailOf),
    }),
    product: object<Product>({
      title: text,
      facts: list(object<Product['facts'][number]>({ name: text, text: anyText, at: onMask })),
      guide: list(object<Product['guide'][number]>({ size: text, faceCm: fromToCm })),
      areExamples: flag,
      measure: text,
      portrait: object<Product['portrait']>({ file: text, alt: text }),
      pictures: list(object<Product['pictures'][number]>({ file: text, alt: text })),
    }),
    sizes: inSequence(
      list(
        object<Brand['sizes'][number]>({
          name: sizeName,
          stock: wholeNumber({ min: 0, max: MAX_PIECES }),
        }),
        { min: 1 },
      ),
      (value, key) => findTwins(value as Brand['sizes'], key),
    ),
    maskCount: wholeNumber({ min: 1, max: MAX_PIECES }),
    tiers: inSequence(
      list(
        object<Brand['tiers'][number]>({
          requiredReferrals: wholeNumber({ min: 1, max: MAX_REFERRALS }),
          reward: text,
          kind: oneOf('plain', 'address', 'code'),
          picture: optional(oneOf(...Object.keys(REWARD_DRAWINGS))),
        }),
      ),
      (value, key) => findDisorder(value as Brand['tiers'], key),
    ),
  }),
  (value) => findWrongSum(value as Brand),
);

function findTwins(sizes: Brand['sizes'], key: string): string[] {
  const names = sizes.map(({ name }) => name.toLowerCase());
  return sizes.flatMap(({ name }, index) => {
    const first = names.indexOf(name.toLowerCase());
    if (first === index) return [];
    return [`${key}[${index}].name is ${name}, which ${key}[${first}] is called already.`];
  });
}

function findDisorder(tiers: Brand['tiers'], key: string): string[] {
  return tiers.flatMap(({ requiredReferrals }, index) => {
    const before = tiers[index - 1];
    if (before === undefined || before.requiredReferrals < requiredReferrals) return [];
    return [
      `${key}[${index}].requiredReferrals is ${requiredReferrals}, but must be more than ` +
        `the ${before.requiredReferrals} of the tier before it.`,
    ];
  });
}

function findWrongSum({ sizes, maskCount }: Brand): string[] {
  const sum = sizes.reduce((total, { stock }) => total + stock, 0);
  return sum === maskCount
    ? []
    : [`maskCount is ${maskCount}, but the stock of all sizes adds up to ${sum}.`];
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

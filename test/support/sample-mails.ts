/** One of each mail, with a frame as the server makes it. */
import type { MailContent, MailFrame } from '../../contract/mails.ts';

const publicUrl = 'https://line.example.com';

export const sampleFrame: MailFrame = {
  publicUrl,
  statusLink: `${publicUrl}/thank-you/5f0c2a3e-7d7b-4c0e-9a39-4f4f4f4f4f4f`,
  inviteLink: `${publicUrl}/invite/7K3M9QX2TV`,
  referralCode: '7K3M9QX2TV',
  image: `${publicUrl}/invite/7K3M9QX2TV/ghost/abcdefghij.jpg`,
  confirmLink: null,
  answerLink: null,
  preferencesLink: `${publicUrl}/preferences/p.${'x'.repeat(120)}`,
  isStopped: false,
  isOrderFixed: false,
  draw: null,
};

export const CONFIRM_LINK = `${publicUrl}/confirm/c.${'y'.repeat(120)}`;

const UNTIL = 'November 22 at 8:00 PM UTC';
export const OFFER_LINK = `${sampleFrame.statusLink}#offer=${'z'.repeat(55)}`;

export const sampleContents: readonly (readonly [name: string, content: MailContent])[] = [
  ['welcome', { kind: 'welcome', position: 128 }],
  ['confirm', { kind: 'confirm', position: 1_204_512, confirmLink: CONFIRM_LINK, validDays: 7 }],
  ['status-link', { kind: 'status-link', position: 1 }],
  [
    'reminder to confirm',
    {
      kind: 'confirm-reminder',
      confirmLink: CONFIRM_LINK,
      freezesAt: 'November 22 at 8:00 PM UTC',
    },
  ],
  [
    'reminder to confirm, without a date',
    { kind: 'confirm-reminder', confirmLink: CONFIRM_LINK, freezesAt: null },
  ],
  [
    'friends',
    {
      kind: 'friends',
      newFriends: 3,
      referralCount: 7,
      position: 41,
      nextTier: { requiredReferrals: 9973, reward: 'A very long reward of many words' },
    },
  ],
  ['tier', { kind: 'tier', level: 5, reward: 'A mask set aside in your size', nextTier: null }],
  [
    'offer',
    {
      kind: 'offer',
      size: 'Small',
      until: 'November 22 at 8:00 PM UTC',
      offerLink: OFFER_LINK,
      terms: { price: '€99.00', payHours: 24, payBy: null, needsCode: false },
    },
  ],
  [
    'offer reminder',
    {
      kind: 'offer-reminder',
      size: 'Large',
      until: 'November 22 at 8:00 PM UTC',
      offerLink: OFFER_LINK,
      terms: { price: null, payHours: null, payBy: null, needsCode: true },
    },
  ],
  [
    'pass',
    {
      kind: 'pass',
      size: 'Medium',
      offerLink: OFFER_LINK,
      terms: { price: '€99.00', payHours: null, payBy: 'November 23', needsCode: false },
    },
  ],
  ['pass, paid', { kind: 'pass-paid', size: 'Medium', offerLink: OFFER_LINK }],
  [
    'pay reminder',
    {
      kind: 'pay-reminder',
      size: 'Medium',
      until: 'November 22 at 8:00 PM UTC',
      offerLink: OFFER_LINK,
    },
  ],
  ['pass, unpaid', { kind: 'pass-unpaid', size: 'Medium' }],
  [
    'pass, cancelled',
    { kind: 'pass-cancelled', size: 'Medium', note: 'The shop has refunded your order #1001.' },
  ],
  [
    'mask, address',
    { kind: 'mask-address', size: 'Medium', rewardLink: `${publicUrl}/rewards/r/mask` },
  ],
  ['mask, sent', { kind: 'mask-sent', size: 'Medium', carrier: 'DHL', tracking: 'JD0145' }],
  ['offer ended', { kind: 'offer-ended', size: 'Medium' }],
  ['enter', { kind: 'enter', price: '€99.00', until: UNTIL, offerLink: OFFER_LINK }],
  [
    'enter, reminder',
    { kind: 'enter-reminder', price: '€99.00', until: UNTIL, offerLink: OFFER_LINK },
  ],
  ['entered', { kind: 'entered', price: '€99.00', offerLink: OFFER_LINK }],
  [
    'entry over',
    { kind: 'entry-over', price: '€99.00', why: 'lapsed', mayEnter: true, offerLink: OFFER_LINK },
  ],
  ['not chosen', { kind: 'not-chosen', position: 4_321, canReturn: true }],
  ['not chosen, and over', { kind: 'not-chosen', position: 4_321, canReturn: false }],
  [
    'reward',
    {
      kind: 'reward',
      reward: 'A mask set aside in your size',
      rewardLink: `${publicUrl}/rewards/r.${'z'.repeat(80)}/5`,
    },
  ],
  [
    'reward as a code',
    { kind: 'reward-code', reward: 'A mask set aside in your size', code: 'GIFT-7KQF-2M9X' },
  ],
  ['top 100, entered', { kind: 'top100', isInside: true, position: 100 }],
  [
    'campaign',
    {
      kind: 'campaign',
      subject: 'News for #128',
      blocks: [
        { kind: 'heading', words: [{ kind: 'text', text: 'The drop is near' }] },
        {
          kind: 'paragraph',
          words: [
            { kind: 'text', text: 'You stand at 128, ' },
            { kind: 'strong', words: [{ kind: 'text', text: 'ahead of many' }] },
            { kind: 'break' },
            { kind: 'emphasis', words: [{ kind: 'code', text: 'soon' }] },
          ],
        },
        {
          kind: 'list',
          firstNumber: 3,
          items: [
            [{ kind: 'paragraph', words: [{ kind: 'text', text: 'Masks' }] }],
            [
              { kind: 'paragraph', words: [{ kind: 'text', text: 'And' }] },
              {
                kind: 'list',
                firstNumber: null,
                items: [[{ kind: 'paragraph', words: [{ kind: 'text', text: 'more' }] }]],
              },
            ],
          ],
        },
        { kind: 'quote', blocks: [{ kind: 'code', text: 'a  b\nc' }] },
        { kind: 'rule' },
      ],
    },
  ],
  ['top 100, left', { kind: 'top100', isInside: false, position: 101 }],
];

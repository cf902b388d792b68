import type { Brand } from './brand-shape.ts';

export const dropMails = {
  terms: {
    price: 'It costs {price}.',
    payHours: {
      one: 'Once you accept it, you have an hour to pay.',
      other: 'Once you accept it, you have {payHours} hours to pay.',
    },
    payBy: 'Pay by {payBy}: after that, your pass ends and the next in line gets the mask.',
    code: 'Your pass has a code, which opens the shop once.',
  },
  offer: {
    subject: 'A mask for you, in {size}: yes or no?',
    preview: 'It is set aside for you until {until}.',
    headline: ['A mask for you', '{size}', 'yes or no?'],
    text: [
      'Your ghost was chosen. One mask in {size} is set aside for you until {until}.',
      '{terms}',
      'You can change the size while others are left. ' +
        'If it is not for you, say no, and the next in line gets it.',
    ],
    button: 'See your mask',
    note: 'The link is yours alone: anyone who has it can answer for you.',
  },
  'offer-reminder': {
    subject: 'Your mask in {size} waits until {until}',
    preview: 'After that, the next in line gets it.',
    headline: ['Still yours', '{size}', 'yes or no?'],
    text: [
      'One mask in {size} is set aside for you until {until}. {terms}',
      'After that, it goes to the next in line. We do not remind you again.',
    ],
    button: 'See your mask',
    note: 'The link is yours alone: anyone who has it can answer for you.',
  },
  pass: {
    subject: 'Your pass for one mask in {size}',
    preview: '{terms}',
    headline: ['Your pass', '{size}', 'one mask, one ghost'],
    text: [
      'One mask in {size} is yours to buy. {terms}',
      'What buys it is not in this mail, since it would do so for whoever reads it. ' +
        'The link shows your pass whenever you need it.',
    ],
    button: 'See your pass',
    note: 'The link is yours alone: anyone who has it can use your pass.',
  },
  'pass-paid': {
    subject: 'Your mask in {size} is paid',
    preview: 'It is yours.',
    headline: ['Your mask', '{size}', 'is paid'],
    text: [
      'Your payment for one mask in {size} has arrived: thank you.',
      'It is sent to you, or handed over at a door to whoever shows your pass. ' +
        'The link shows it.',
    ],
    button: 'See your pass',
    note: 'The link is yours alone: anyone who has it can collect your mask.',
  },
  'pay-reminder': {
    subject: 'Pay for your mask in {size} by {until}',
    preview: 'After that, your pass ends.',
    headline: ['Your mask', '{size}', 'is not yet paid'],
    text: [
      'Your mask in {size} is not paid for yet. It is set aside for you until {until}.',
      'After that, your pass ends and the mask goes to the next in line.',
    ],
    button: 'Pay for your mask',
    note: 'The link is yours alone: anyone who has it can see your pass.',
  },
  'pass-unpaid': {
    subject: 'Your pass for a mask in {size} has ended',
    preview: 'The mask was not paid for in time.',
    headline: ['Your pass', '{size}', 'has ended'],
    text: [
      'Your mask in {size} was not paid for in time. ' +
        'Your pass has ended, and the mask goes to the next in line.',
      'If you pay all the same, you get the money back. Your place in line and your rewards stay.',
    ],
    button: 'See your place',
    note: '',
  },
  'pass-cancelled': {
    subject: 'Your pass for a mask in {size} was cancelled',
    preview: '{note}',
    headline: ['Your pass', '{size}', 'was cancelled'],
    text: [
      'Your pass for a mask in {size} was cancelled, and its code no longer opens the shop.',
      'The reason: {note}',
      'If you have paid for it, the money goes back to you. ' +
        'Your place in line and your rewards stay.',
    ],
    button: 'See your place',
    note: '',
  },
  enter: {
    subject: 'Enter the draw by {until}',
    preview: '{price} are only reserved on your card.',
    headline: ['The draw', '{price}', 'reserved, not paid'],
    text: [
      'You are on the list of this drop. To be in the draw, enter your card by {until}.',
      '{price} are reserved on your card, and given back if you are not drawn. ' +
        'If you are drawn, they are taken at once, and the mask is yours: there is nothing to ' +
        'miss.',
      'One card is one ticket.',
    ],
    button: 'Enter the draw',
    note: 'The link is yours alone: anyone who has it can act for you.',
  },
  'enter-reminder': {
    subject: 'You are not in the draw yet',
    preview: 'Enter your card by {until}.',
    headline: ['The draw', '{price}', 'reserved, not paid'],
    text: [
      'You are on the list of this drop, but not in its draw: your card enters by {until}.',
      '{price} are reserved on it, and given back if you are not drawn.',
    ],
    button: 'Enter the draw',
    note: 'The link is yours alone: anyone who has it can act for you.',
  },
  entered: {
    subject: 'You are in the draw',
    preview: '{price} are reserved on your card.',
    headline: ['You are in', '{price}', 'reserved, not paid'],
    text: [
      '{price} are reserved on your card, and given back if you are not drawn.',
      'If you are drawn, they are taken at once, and the mask is yours. ' +
        'You can leave the draw by the link until it is made.',
    ],
    button: 'See your entry',
    note: 'The link is yours alone: anyone who has it can act for you.',
  },
  'entry-over': {
    subject: 'Nothing is reserved on your card any more',
    preview: '{reason}',
    headline: ['Your card', '{price}', 'no longer reserved'],
    text: [
      '{reason}',
      'We have given back the {price} that were reserved on your card, and took nothing. ' +
        'Your bank may show them for some days. Your place in line and your rewards stay.',
    ],
    button: 'See your place',
    note: '',
  },
  entryReasons: {
    duplicate: 'This card is in the draw already, for somebody else: one card is one ticket.',
    prepaid: 'Prepaid cards cannot enter this draw.',
    amount: 'Your card did not reserve the price of a mask.',
    unknown: 'We cannot tell your card from others.',
    lapsed: 'Your bank has ended the reservation.',
    refused: 'You were drawn, but your bank refused the payment, so the mask went to the next.',
    'not-drawn': 'The draw is made, and no mask came to you.',
    undone: 'This drop was stopped.',
    again: 'You can enter again, by the link in this mail.',
  },
  'mask-address': {
    subject: 'Where should your mask go?',
    preview: 'One mask in {size} waits for an address.',
    headline: ['Your mask', '{size}', 'needs an address'],
    text: [
      'One mask in {size} is paid, and yours. Tell us where to send it.',
      'We use the address for nothing else, and delete it soon after.',
    ],
    button: 'Tell us where',
    note: '',
  },
  'mask-sent': {
    subject: 'Your mask is on its way',
    preview: '{carrier} brings it: {tracking}.',
    headline: ['Your mask', '{size}', 'is on its way'],
    text: ['{carrier} brings your mask in {size}. The tracking number is {tracking}.'],
    button: 'See your place',
    note: '',
  },
  'offer-ended': {
    subject: 'The drop is over, and your offer with it',
    preview: 'Your mask in {size} is no longer set aside.',
    headline: ['Your mask', '{size}', 'no longer set aside'],
    text: [
      'This drop has closed, and you had not accepted your mask in {size}. ' +
        'It is no longer set aside for you, even if its time was not up.',
      'Your place in line and your rewards stay.',
    ],
    button: 'See your place',
    note: '',
  },
  'not-chosen': {
    isOn: true,
    waiting: {
      subject: 'No mask yet',
      preview: 'What happens next.',
      headline: ['Ghost', 'not yet', 'no mask so far'],
      text: [
        'There were fewer masks than ghosts, and you were not among the chosen.',
        'Masks that nobody takes go to the next person in the draw order. ' +
          'If one reaches you, we will write at once.',
        'Your place in line, #{position}, and your rewards stay. Thank you for waiting with us.',
      ],
      button: 'See your place',
      note: '',
    },
    over: {
      subject: 'No mask this time',
      preview: 'You keep your place.',
      headline: ['Ghost', 'not yet', 'no mask this time'],
      text: [
        'There were fewer masks than ghosts, and none of this drop comes to you.',
        'Your place in line, #{position}, and your rewards stay. Thank you for waiting with us.',
      ],
      button: 'See your place',
      note: '',
    },
  },
} satisfies Partial<Brand['mails']>;

/**
 * Everything that a brand owner edits, besides drop-mails.ts, drop-words.ts, product.ts,
 * tokens.css, art, fonts, audio and video in this folder.
 */
import type { Brand } from './brand-shape.ts';
import { dropMails } from './drop-mails.ts';
import { product } from './product.ts';

const sizes = [
  { name: 'Small', stock: 33 },
  { name: 'Medium', stock: 34 },
  { name: 'Large', stock: 33 },
];

/** 100, the number that every text and picture of the product shows. */
const maskCount = sizes.reduce((sum, { stock }) => sum + stock, 0);

const oneRun = `One run of ${maskCount} athletic masks.`;

export const brand: Brand = {
  name: 'Ghost Code',
  language: 'en',
  copy: {
    headline: ['Train', 'Unseen.'],
    tagline: 'A performance mask for people who work when nobody is watching.',
    formNote: `Top ${maskCount} enter the shop first.`,
    mailNote: 'We mail your status link, and news once you confirm. Leave any time.',
    meterTitle: 'The Hundred',
    proofNote: 'Quick warm-up check. Nothing for you to do.',
    landingTitle: `Ghost Code - Only ${maskCount} masks`,
    landingDescription: `${oneRun} Join the line, bring friends, move up.`,
    inviteTitle: 'You are invited to Ghost Code',
    inviteDescription: `Only ${maskCount} masks. Accept the invite and start higher in line.`,
    inviteNote:
      'Accept, and start ahead of everyone without an invite. Your mask is painted from your own ' +
      'code.',
    facesTitle: 'Join, and get a mask of your own.',
    facesNote: 'Every member gets a code. The code paints your mask.',
    facesAlt: 'A wall of ghosts, each in the war paint of another code.',
    inviterFaceTitle: 'Their ghost',
    faceTitle: 'Your ghost',
    faceNote: 'Drawn from your code.',
    shareTitle: 'Ghost Code',
    shareText: `Only ${maskCount} masks. My invite starts you higher in line.`,
    nextShareText: 'My invite starts you higher in line for the next drop.',
    enteredTop: 'You are in the hundred. Stay ahead until the freeze.',
    notFoundTitle: 'Nobody here',
    notFoundText: 'This page left no trace. The line is where it was.',
  },
  /** Examples to replace or leave out. */
  links: {
    contact: 'mailto:hello@ghostcode.example',
    privacy: 'https://ghostcode.example/privacy',
  },
  /** Fixed to the letter by docs/behaviour.md. */
  specified: {
    memberName: 'Ghost',
    joined: 'Welcome to the Ghost Code Network!',
    statusLoading: 'Loading Ghost Status...',
    statusNotFound: 'Ghost Not Found',
    totalMembers: 'Total Ghosts',
  },
  mails: {
    faces: {
      display: "'Segoe UI', -apple-system, Roboto, Helvetica, Arial, sans-serif",
      text: "'Segoe UI', -apple-system, Roboto, Helvetica, Arial, sans-serif",
      mono: "Menlo, Consolas, ui-monospace, 'Courier New', monospace",
    },
    invite: {
      title: 'Your invite',
      label: 'Invite link',
      note:
        'For people who train. They start ahead of everyone without an invite, and you move ' +
        'up.',
      fixedNote:
        'The order of this drop is fixed. Friends count for your rewards and the next drop.',
    },
    facts: {
      friends: 'Friends',
      position: 'Place in line',
      nextReward: 'Next reward',
    },
    footer: {
      why: 'You get this mail because this address joined the Ghost Code waitlist.',
      status: 'Your status page',
      confirm: 'Confirm this address',
      answer: 'Answer on a page without script',
      preferences: 'Stop these mails, download your data or leave the line',
      resume: 'You stopped our mail. Turn it on again, download your data or leave the line',
      draw: 'Check this drop. Its draw has the hash',
    },
    welcome: {
      isOn: true,
      subject: 'Ghost #{position} in line',
      preview: 'Your status link and your invite link. Keep this mail.',
      headline: ['Ghost', '#{position}', 'in line'],
      text: [
        'You are in. The face is yours, drawn from your code.',
        'Your place is live: ' +
          'every friend who joins through your link takes you further ahead.',
      ],
      button: 'See your place',
      note: '',
    },
    confirm: {
      isOn: true,
      subject: 'Confirm your place: #{position} in line',
      preview: 'One press. If a friend invited you, they get the credit.',
      headline: ['Confirm', '#{position}', 'in line'],
      text: [
        'You are in. Confirm this address, and if a friend invited you, they get the credit.',
        {
          one: 'The link works for {validDays} day.',
          other: 'The link works for {validDays} days.',
        },
      ],
      button: 'Confirm your place',
      note:
        'If you did not join, do not confirm. ' +
        'The last link below takes this address out of the line.',
    },
    'status-link': {
      isOn: true,
      subject: 'Your Ghost Code status link',
      preview: 'You are already in line: Ghost #{position}.',
      headline: ['Ghost', '#{position}', 'in line'],
      text: [
        'Someone entered this address in our form again. ' +
          'It is already in line, and this is the way to your page.',
      ],
      button: 'Open your page',
      note: 'If that was not you, ignore this mail. Nothing has changed.',
    },
    'confirm-reminder': {
      isOn: true,
      dated: {
        subject: 'Confirm by {freezesAt}, and you count',
        preview: 'One press. The line freezes then, with confirmed friends alone.',
        headline: ['Confirm', 'one press', 'and you count'],
        text: [
          'A friend invited you, and you move them up the line. You have not confirmed your ' +
            'address yet.',
          'The line freezes on {freezesAt}. Only confirmed friends count then.',
        ],
        button: 'Confirm your place',
        note:
          'If you did not join, do not confirm. ' +
          'The last link below takes this address out of the line.',
      },
      undated: {
        subject: 'Confirm your place, and you count',
        preview: 'One press, for the friend who invited you.',
        headline: ['Confirm', 'one press', 'and you count'],
        text: [
          'A friend invited you, and you move them up the line. You have not confirmed your ' +
            'address yet.',
          'Only confirmed friends count when the line freezes.',
        ],
        button: 'Confirm your place',
        note:
          'If you did not join, do not confirm. ' +
          'The last link below takes this address out of the line.',
      },
    },
    friends: {
      isOn: true,
      subject: {
        one: '{newFriends} friend joined: you are Ghost #{position}',
        other: '{newFriends} friends joined: you are Ghost #{position}',
      },
      preview: 'Through your link, and counted.',
      headline: ['Your link', '+{newFriends}', { one: 'friend', other: 'friends' }],
      text: [
        {
          one: 'A friend joined through your link and counts for you.',
          other: '{newFriends} friends joined through your link and count for you.',
        },
      ],
      button: 'See your place',
      note: '',
    },
    tier: {
      isOn: true,
      subject: 'Tier {level}: {reward}',
      preview: 'Thanks to the friends you brought.',
      headline: ['Tier {level}', '{reward}', 'unlocked'],
      text: ['The friends you brought got you here. Your page lists all that you have unlocked.'],
      button: 'See your rewards',
      note: '',
    },
    reward: {
      isOn: true,
      subject: 'Where do we send it? {reward}',
      preview: 'One page, one minute.',
      headline: ['For you', '{reward}', 'ready to send'],
      text: [
        'The friends you brought earned it for you. Tell us where to send it.',
        'We use the address for nothing else, and delete it soon after.',
      ],
      button: 'Tell us where',
      note: '',
    },
    'reward-code': {
      isOn: true,
      subject: 'Your code: {reward}',
      preview: 'For the friends you brought.',
      headline: ['For you', '{reward}', 'with this code'],
      text: [
        'The friends you brought earned it for you. Your code for the shop is {code}',
        'It works once, and it is yours alone.',
      ],
      button: 'See your rewards',
      note: '',
    },
    top100: {
      isOn: true,
      entered: {
        subject: 'You are in the hundred: Ghost #{position}',
        preview: 'The first hundred enter the shop first.',
        headline: ['Ghost', '#{position}', 'in the hundred'],
        text: [
          'The first hundred enter the shop first: a chance at a mask, not a claim to one.',
          'The line keeps moving until the drop. More friends, safer place.',
        ],
        button: 'See your place',
        note: '',
      },
      left: {
        subject: 'Out of the hundred: Ghost #{position}',
        preview: {
          one: '{placesToGo} place to go.',
          other: '{placesToGo} places to go.',
        },
        headline: [
          'Ghost',
          '#{position}',
          { one: '{placesToGo} place to go', other: '{placesToGo} places to go' },
        ],
        text: [
          'Others moved ahead, so you are out of the hundred. ' +
            'Friends who join through your link take you forward again.',
        ],
        button: 'See your place',
        note: '',
      },
    },
    ...dropMails,
  },
  product,
  sizes,
  maskCount,
  tiers: [
    { requiredReferrals: 3, reward: 'Glow sticker set', kind: 'address', picture: 'stickers' },
    { requiredReferrals: 10, reward: 'Afterglow wristband', kind: 'address', picture: 'band' },
    { requiredReferrals: 25, reward: 'Night session shirt', kind: 'address', picture: 'shirt' },
    {
      requiredReferrals: 50,
      reward: 'Your ghost, printed and numbered',
      kind: 'address',
      picture: 'print',
    },
    {
      requiredReferrals: 100,
      reward: 'Your ghost on a track jacket',
      kind: 'address',
      picture: 'jacket',
    },
  ],
};

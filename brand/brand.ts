/** All that a brand owner edits, next to tokens.css and the art, fonts, audio and video of this folder. */
import type { Brand } from './brand-shape.ts';

export const brand: Brand = {
  name: 'Ghost Code',
  language: 'en',
  copy: {
    headline: ['Train', 'Unseen.'],
    tagline: 'A performance mask for people who work when nobody is watching.',
    formNote: 'Top 100 enter the shop first. No restocks.',
    landingTitle: 'Ghost Code - Only 100 masks',
    landingDescription: 'One run of 100 athletic masks. Join the line, bring friends, move up.',
    inviteTitle: 'You are invited to Ghost Code',
    inviteDescription: 'Only 100 masks. Accept the invite and start higher in line.',
    inviteNote: 'This is their ghost. Your code draws yours, from a higher starting position in line.',
    faceTitle: 'Your ghost',
    faceNote: 'Drawn from your code.',
    shareTitle: 'Ghost Code',
    shareText: 'Only 100 masks. My invite starts you higher in line.',
    notFoundTitle: 'Nobody here',
    notFoundText: 'This page left no trace. The line is still open.',
  },
  /** Fixed by the specification, to the letter. */
  specified: {
    memberName: 'Ghost',
    joined: 'Welcome to the Ghost Code Network!',
    statusLoading: 'Loading Ghost Status...',
    statusNotFound: 'Ghost Not Found',
    totalMembers: 'Total Ghosts',
  },
  sizes: [
    { name: 'Small', stock: 33 },
    { name: 'Medium', stock: 34 },
    { name: 'Large', stock: 33 },
  ],
  tiers: [
    { requiredReferrals: 3, reward: 'Glow sticker set' },
    { requiredReferrals: 10, reward: 'Afterglow wristband' },
    { requiredReferrals: 25, reward: 'Night session shirt' },
    { requiredReferrals: 50, reward: 'Your ghost, printed and numbered' },
    { requiredReferrals: 100, reward: 'A mask set aside in your size' },
  ],
  lineRule: { name: 'points' },
};

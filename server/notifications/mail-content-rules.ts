import type { Brand } from '../../brand/brand-shape.ts';
import type { MailContent, MailFrame, RenderMail } from '../../contract/mails.ts';
import {
  confirmingPath,
  fillPath,
  imagePaths,
  mailPagePaths,
  offerPath,
  ownStatusPath,
  pagePaths,
  WAS,
} from '../../contract/paths.ts';
import type { Config } from '../config.ts';
import { describeCost, describeEnd } from '../drop/offers/offer-rules.ts';
import { DAY_MS } from '../durations.ts';
import type { Recipient } from '../line/get-recipients.ts';
import { tierProgress } from '../line/referrals/tier-rules.ts';
import type { OutgoingMail } from '../mail/delivery/transport.ts';
import { type LinkPurpose, signLinkToken } from '../mail/link-token.ts';
import { fillCampaign, type ParsedText } from './campaigns/campaign-text.ts';
import type { EntryMail, MailJob, NewsRequest, OfferMail } from './delivery/queue.ts';

const CONFIRM_DAYS = 7;
/** Where credits settle, a friend may confirm until the line freezes. */
const SETTLE_DAYS = 90;
/** The link to an offer shows the pass afterwards. */
const OFFER_DAYS = 400;
const REWARD_DAYS = 60;
/** Unsubscribing must still work long after a mail came. */
const PREFERENCES_DAYS = 400;

export type ComposeOptions = {
  readonly brand: Brand;
  readonly publicUrl: string;
  readonly secretKey: string;
  readonly referralCredit: Config['referralCredit'];
  readonly artVersion: string;
  readonly renderMail: RenderMail;
};

/** `isStopped`: mail to the address was stopped, but they get this one. */
export type MailedRecipient = Recipient & { readonly isStopped: boolean };

/** The same bytes in every attempt, unless the member has moved. Null if no longer true. */
export function composeMail(
  { brand, publicUrl, secretKey, referralCredit, artVersion, renderMail }: ComposeOptions,
  job: MailJob,
  recipient: MailedRecipient,
): OutgoingMail | null {
  const token = (purpose: LinkPurpose, days: number) =>
    signLinkToken(secretKey, {
      purpose,
      memberId: recipient.id,
      mailbox: recipient.mailbox,
      expiresAt: new Date(job.queuedAt.getTime() + days * DAY_MS),
    });
  const isSettling = referralCredit === 'settle' && !recipient.isConfirmed;
  const confirmToken = token('confirm', referralCredit === 'settle' ? SETTLE_DAYS : CONFIRM_DAYS);
  const { before } = job;
  const statusLink =
    publicUrl +
    (isSettling ? confirmingPath(recipient.id, confirmToken) : ownStatusPath(recipient.id)) +
    (before ? `${WAS}${before.position}.${before.referralCount}` : '');
  const inviteLink = publicUrl + fillPath(pagePaths.invite, recipient.referralCode);
  const offerToken = token('offer', OFFER_DAYS);
  const { tiers, maskCount, language } = brand;
  const { request, campaignText, offer, entry, rewardCode, freeze, canReturn, draw } = job;
  const content =
    request.kind === 'campaign'
      ? campaignText && campaignContent(campaignText, { ...recipient, statusLink, inviteLink })
      : mailContent(request, recipient, {
          tiers,
          maskCount,
          language,
          offer,
          entry,
          rewardCode,
          freeze,
          canReturn,
          confirmLink: publicUrl + fillPath(mailPagePaths.confirm, confirmToken),
          offerLink: publicUrl + offerPath(recipient.id, offerToken),
          rewardLink: (level) =>
            publicUrl + fillPath(mailPagePaths.reward, token('reward', REWARD_DAYS), level),
          isConfirmationNeeded: referralCredit === 'confirm' && brand.mails.confirm.isOn,
        });
  if (content === null) return null;
  const preferencesToken = token('preferences', PREFERENCES_DAYS);
  const mail = renderMail(content, {
    publicUrl,
    statusLink,
    inviteLink,
    referralCode: recipient.referralCode,
    image: publicUrl + imagePathOf(content, { tiers, code: recipient.referralCode, artVersion }),
    confirmLink:
      isSettling && request.kind !== 'confirm-reminder'
        ? publicUrl + fillPath(mailPagePaths.confirm, confirmToken)
        : null,
    preferencesLink: publicUrl + fillPath(mailPagePaths.preferences, preferencesToken),
    isStopped: recipient.isStopped,
    isOrderFixed: freeze.state !== 'open' && freeze.state !== 'closed',
    draw: frameDraw(publicUrl, draw),
    answerLink:
      'offerLink' in content ? publicUrl + fillPath(mailPagePaths.offer, offerToken) : null,
  });
  return {
    ...mail,
    to: recipient.address,
    memberId: recipient.id,
    jobId: job.id,
    unsubscribeLink: publicUrl + fillPath(mailPagePaths.unsubscribe, preferencesToken),
  };
}

/** The path of a mail's picture: one about a tier shows its reward, every other the face. */
export function imagePathOf(
  content: MailContent,
  { tiers, code, artVersion }: Pick<Brand, 'tiers'> & { code: string; artVersion: string },
): string {
  if (content.kind !== 'tier') return fillPath(imagePaths.ghost, code, artVersion);
  const picture = tiers[content.level - 1]?.picture ?? 'ticket';
  return fillPath(imagePaths.reward, code, picture, artVersion);
}

export function frameDraw(publicUrl: string, draw: MailJob['draw']): MailFrame['draw'] {
  if (draw === null) return null;
  const { hash, number } = draw;
  return { hash, link: `${publicUrl}${pagePaths.draw}?drop=${number}&noted=${hash}` };
}

export function campaignContent(
  text: ParsedText,
  member: Pick<Recipient, 'position' | 'referralCount' | 'referralCode'> &
    Pick<MailFrame, 'statusLink' | 'inviteLink'>,
): MailContent {
  const filled = fillCampaign(text, {
    position: member.position,
    referral_count: member.referralCount,
    referral_code: member.referralCode,
    invite_link: member.inviteLink,
    status_link: member.statusLink,
  });
  return { kind: 'campaign', ...filled };
}

type ContentOptions = Pick<Brand, 'tiers' | 'maskCount' | 'language'> &
  Pick<MailJob, 'offer' | 'entry' | 'rewardCode' | 'freeze' | 'canReturn'> & {
    readonly confirmLink: string;
    readonly offerLink: string;
    readonly rewardLink: (level: number | 'mask') => string;
    /** A credit waits until the member confirms, so every mail that links back must offer that. */
    readonly isConfirmationNeeded: boolean;
  };
type Standing = Pick<Recipient, 'position' | 'referralCount' | 'isConfirmed'>;

export function mailContent(
  request: NewsRequest,
  { position, referralCount, isConfirmed }: Standing,
  options: ContentOptions,
): MailContent | null {
  const { tiers, maskCount, confirmLink, rewardCode: code, isConfirmationNeeded, freeze } = options;
  const confirm = { kind: 'confirm', position, confirmLink, validDays: CONFIRM_DAYS } as const;
  const { nextTier, rewardsUnlocked } = tierProgress(tiers, referralCount);
  if ('offerId' in request) return offerContent(request, options);
  if ('entry' in request) return entryContent(request, options);
  switch (request.kind) {
    case 'welcome':
      return { kind: 'welcome', position };
    case 'status-link':
      // The first confirmation link may have expired.
      return isConfirmationNeeded && !isConfirmed ? confirm : { kind: 'status-link', position };
    case 'confirm':
      return isConfirmed ? null : confirm;
    case 'confirm-reminder': {
      const { publicAt: expiresAt, timeZone, state } = freeze;
      if (isConfirmed || state !== 'open') return null;
      const freezesAt = expiresAt && describeEnd({ expiresAt, timeZone }, options.language);
      return { kind: request.kind, confirmLink, freezesAt };
    }
    case 'friends': {
      const { kind, newFriends } = request;
      return { kind, newFriends, referralCount, position, nextTier };
    }
    case 'tier': {
      const { kind, level } = request;
      const reward = rewardsUnlocked[level - 1];
      return reward === undefined ? null : { kind, level, reward, nextTier };
    }
    case 'not-chosen':
      return { kind: 'not-chosen', position, canReturn: options.canReturn };
    case 'reward': {
      const reward = rewardsUnlocked[request.level - 1];
      const rewardLink = options.rewardLink(request.level);
      return reward === undefined ? null : { kind: 'reward', reward, rewardLink };
    }
    case 'reward-code': {
      // It was given, also to a member who has lost the tier since.
      const reward = tiers[request.level - 1]?.reward;
      return reward === undefined || code === null ? null : { kind: 'reward-code', reward, code };
    }
    case 'top100':
      return freeze.state === 'open' && request.isInside === position <= maskCount
        ? { kind: 'top100', isInside: request.isInside, position }
        : null;
    default:
      throw new Error('This program knows no such mail: a newer one queued it.');
  }
}

const STATE_OF = {
  offer: 'open',
  'offer-reminder': 'open',
  pass: 'accepted',
  'pass-paid': 'paid',
  'pay-reminder': 'accepted',
  'pass-unpaid': 'cancelled',
  'pass-cancelled': 'cancelled',
  'mask-address': 'paid',
  'mask-sent': 'sent',
  'offer-ended': 'expired',
} as const;

function offerContent(
  { kind, note = '' }: OfferMail,
  { offer, offerLink, rewardLink, language }: ContentOptions,
): MailContent | null {
  if (offer?.state !== STATE_OF[kind]) return null;
  const { size, carrier, tracking, cost, payHours, needsCode } = offer;
  const until = describeEnd(offer, language);
  const price = cost && describeCost(cost, language);
  const terms = { price, payHours: null, payBy: null, needsCode };
  if (kind === 'pass')
    return { kind, size, offerLink, terms: { ...terms, payBy: payHours === null ? null : until } };
  if (kind === 'pass-paid') return { kind, size, offerLink };
  if (kind === 'pass-cancelled') return { kind, size, note };
  if (kind === 'mask-address') return { kind, size, rewardLink: rewardLink('mask') };
  if (kind === 'mask-sent') return { kind, size, carrier: carrier ?? '', tracking: tracking ?? '' };
  if (kind === 'offer-ended' || kind === 'pass-unpaid') return { kind, size };
  if (kind === 'pay-reminder') return { kind, size, until, offerLink };
  return { kind, size, until, offerLink, terms: { ...terms, payHours } };
}

function entryContent(
  { kind }: EntryMail,
  { entry, offerLink, language }: ContentOptions,
): MailContent | null {
  if (entry === null) return null;
  const { state, why, mayEnter, cost, until: expiresAt, time_zone: timeZone } = entry;
  const price = cost === null ? '' : describeCost(cost, language);
  if (kind === 'entered') return state === 'held' ? { kind, price, offerLink } : null;
  if (kind === 'enter' || kind === 'enter-reminder') {
    const until = describeEnd({ expiresAt, timeZone }, language);
    return mayEnter || state === 'created' ? { kind, price, until, offerLink } : null;
  }
  if (state !== 'released' || why === null || why === 'withdrawn') return null;
  return { kind, price, why, mayEnter, offerLink };
}

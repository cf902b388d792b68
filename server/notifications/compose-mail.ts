import type { Brand } from '../../brand/brand-shape.ts';
import type { MailFrame, NewsContent, RenderMail } from '../../contract/mails.ts';
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
import type { FrameFacts } from '../drop/views/get-offers.ts';
import { DAY_MS } from '../durations.ts';
import type { Recipient } from '../line/get-recipients.ts';
import { kindOf, type MailKinds } from '../line/mails/mail-kinds.ts';
import type { OutgoingMail } from '../mail/delivery/transport.ts';
import { type LinkPurpose, signLinkToken } from '../mail/link-token.ts';
import type { MailJob } from './delivery/queue.ts';
import { CONFIRM_DAYS } from './news-mails.ts';

/** Days for which the links of a mail work. The link to an offer shows the pass afterwards. */
const LINK_DAYS: Readonly<Record<LinkPurpose, number>> = {
  confirm: CONFIRM_DAYS,
  offer: 400,
  reward: 60,
  preferences: 400,
};
/** Where credits settle, a friend may confirm until the line freezes. */
const SETTLE_DAYS = 90;

export type ComposeOptions = {
  readonly kinds: MailKinds;
  readonly brand: Brand;
  readonly publicUrl: string;
  readonly secretKey: string;
  readonly referralCredit: Config['referralCredit'];
  readonly artVersion: string;
  readonly renderMail: RenderMail;
};

/** `isStopped`: mail to the address was stopped, but they get this one. */
export type MailedRecipient = Recipient & { readonly isStopped: boolean } & FrameFacts;

/** The same bytes in every attempt, unless the member has moved. Null if no longer true. */
export function composeMail(
  options: ComposeOptions,
  { id: jobId, queuedAt, request, loaded }: MailJob,
  recipient: MailedRecipient,
): OutgoingMail | null {
  const { brand, publicUrl, secretKey, referralCredit, artVersion, renderMail } = options;
  const { id: memberId, mailbox, referralCode: code, isStopped, isOrderFixed, draw } = recipient;
  const settles = referralCredit === 'settle';
  const token = (purpose: LinkPurpose) => {
    const days = purpose === 'confirm' && settles ? SETTLE_DAYS : LINK_DAYS[purpose];
    const expiresAt = new Date(queuedAt.getTime() + days * DAY_MS);
    return signLinkToken(secretKey, { purpose, memberId, mailbox, expiresAt });
  };
  const isSettling = settles && !recipient.isConfirmed;
  const links = {
    status:
      publicUrl +
      (isSettling ? confirmingPath(memberId, token('confirm')) : ownStatusPath(memberId)),
    invite: publicUrl + fillPath(pagePaths.invite, code),
    confirm: publicUrl + fillPath(mailPagePaths.confirm, token('confirm')),
    offer: publicUrl + offerPath(memberId, token('offer')),
    reward: (level: number | 'mask') =>
      publicUrl + fillPath(mailPagePaths.reward, token('reward'), level),
  };
  const kind = kindOf(options.kinds, request);
  const content = kind.compose({ request, loaded, recipient, brand, links, referralCredit });
  if (content === null) return null;
  const { action, shown }: Partial<NewsContent> = 'values' in content ? content : {};
  const { before } = content;
  const image = shown
    ? fillPath(imagePaths.reward, code, shown.picture, artVersion)
    : fillPath(imagePaths.ghost, code, artVersion);
  const mail = renderMail(content, {
    publicUrl,
    statusLink: links.status + (before ? `${WAS}${before.position}.${before.referralCount}` : ''),
    inviteLink: links.invite,
    referralCode: code,
    image: publicUrl + image,
    confirmLink: isSettling && action !== links.confirm ? links.confirm : null,
    preferencesLink: publicUrl + fillPath(mailPagePaths.preferences, token('preferences')),
    isStopped,
    isOrderFixed,
    draw: kind.isAboutDrop ? linkDraw(publicUrl, draw) : null,
    answerLink:
      action === links.offer ? publicUrl + fillPath(mailPagePaths.offer, token('offer')) : null,
  });
  return {
    ...mail,
    to: recipient.address,
    memberId,
    jobId,
    unsubscribeLink: publicUrl + fillPath(mailPagePaths.unsubscribe, token('preferences')),
  };
}

export function linkDraw(publicUrl: string, draw: FrameFacts['draw']): MailFrame['draw'] {
  if (draw === null) return null;
  const { hash, number } = draw;
  return { hash, link: `${publicUrl}${pagePaths.draw}?drop=${number}&noted=${hash}` };
}

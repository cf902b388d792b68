import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Brand } from '../../../brand/brand-shape.ts';
import { describeFriends, describeSettling } from '../../../contract/friend-words.ts';
import { fillPath, PLAIN_QUERY, pagePaths } from '../../../contract/paths.ts';
import { openLineNote, type PlainStatusPlace } from '../../../contract/plain-status.ts';
import type { Member } from '../../../contract/schemas.ts';
import type { DropStanding } from '../../drop/views/drop-standing.ts';
import { markRefusedBy } from '../../http/errors.ts';
import { fixPage, sendFixedPage, sendPage } from '../../http/send-page.ts';
import type { Inviters } from '../../visitors/inviter/guarded-inviter.ts';
import type { GhostDrawer } from './draw-ghost.ts';
import { allowOriginOfForms } from './same-site.ts';
import { fillGhost, fillPlaces, type Templates } from './templates.ts';

type PlainStatusOptions = {
  readonly publicUrl: string;
  readonly brand: Pick<Brand, 'language' | 'maskCount'>;
  readonly templates: Templates;
  readonly ghosts: Pick<GhostDrawer, 'drawMember'>;
  readonly getStatus: (memberId: string) => Promise<Member>;
  readonly getStanding: (memberId: string) => Promise<DropStanding>;
  readonly inviters: Pick<Inviters, 'ask'>;
};

export type SendPlainStatus = (
  request: FastifyRequest,
  reply: FastifyReply,
  memberId: string,
  refused?: { readonly message: string; readonly value: string },
) => Promise<FastifyReply>;

export function isPlainAsked({ query }: FastifyRequest): boolean {
  return Object.hasOwn(query as object, PLAIN_QUERY);
}

export function openPlainStatus(options: PlainStatusOptions): SendPlainStatus {
  const { publicUrl, brand, templates, ghosts, getStatus, getStanding, inviters } = options;
  const notFound = fixPage(templates['plain-status-not-found']);
  const failed = fixPage(templates['plain-status-failed']);

  return async (request, reply, memberId, refused = { message: '', value: '' }) => {
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    try {
      const member = await getStatus(memberId);
      const standing = await getStanding(member.id);
      const { refusal } = await inviters.ask(memberId);
      const isAsked = refusal === null || refused.message !== '';
      if (isAsked) allowOriginOfForms(reply);
      const page = fillPlaces(templates['plain-status'], {
        ...placesOf(member),
        ...describeDrop(standing),
        'position-note': standing.state === 'open' ? openLineNote(brand, member.position) : '',
        friends: writeFriends(member, standing),
        'inviter-form': isAsked ? 'open' : '',
        'inviter-message': refused.message,
        'inviter-value': refused.value,
      });
      const ghost = await ghosts.drawMember(member.referral_code, request.ip);
      return sendPage(request, reply, fillGhost(page, ghost));
    } catch (error) {
      const { code } = markRefusedBy(reply, error);
      return sendFixedPage(request, reply, code === 'unknown_member' ? notFound : failed);
    }
  };

  function placesOf(member: Member): Partial<Record<PlainStatusPlace, string>> {
    const { referral_code: code, referral_count: count, rewards_unlocked: rewards } = member;
    const written = member.position.toLocaleString(brand.language);
    return {
      position: written,
      digits: String(`#${written}`.length),
      'invite-link': publicUrl + fillPath(pagePaths.invite, code),
      code,
      tier: String(member.tier_level),
      referrals: String(count),
      'referral-noun': count === 1 ? 'referral' : 'referrals',
      'next-reward': member.next_tier
        ? `Next reward: ${member.next_tier.reward}`
        : 'You have reached the last tier.',
      unlocked: rewards.length > 0 ? `Unlocked: ${rewards.join(', ')}` : '',
    };
  }
}

function writeFriends(member: Member, { state, freezesOn }: DropStanding): string {
  const friends = describeFriends(member);
  const settling = state === 'open' ? describeSettling(member, freezesOn) : '';
  return [...(friends === '' ? [] : [`${friends}.`]), settling].join(' ').trim();
}

function describeDrop(
  standing: DropStanding,
): Record<Extract<PlainStatusPlace, `drop${string}`>, string> {
  const { drop, state, offer } = standing;
  if (offer === null && state === 'open') return { 'drop-number': '', 'drop-text': '' };
  return { 'drop-number': String(drop), 'drop-text': describeOffer(offer) };
}

/** The secret of the link is in its fragment, which no server receives. */
function describeOffer(offer: DropStanding['offer']): string {
  const { state, size, until } = offer ?? {};
  const mail = 'open the link in your mail that needs no scripts.';
  if (state === 'open')
    return `A mask in size ${size} is set aside for you until ${until}. To answer, ${mail}`;
  if (state === 'accepted')
    return `You have a pass for one mask in size ${size}. To use it, ${mail}`;
  return 'Where you stand in this drop is on this page in a browser with scripts.';
}

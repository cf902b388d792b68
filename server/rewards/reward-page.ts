/** The page on which a member says where to send something. It never shows an answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fillPath, mailPagePaths } from '../../contract/paths.ts';
import { readAskedParcel, writeParcelAddress } from '../drop/passes/parcel-store.ts';
import { formOf } from '../http/form-bodies.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { Links, OpenedLink } from '../members/links/links.ts';
import type { Platform } from '../module.ts';
import { readAddress } from '../postal-address-rules.ts';
import { conflict } from '../problem.ts';
import { readState, writeAddress } from './reward-store.ts';

export function addRewardPage(
  scope: HttpServer,
  links: Links,
  { database, brand }: Platform,
): void {
  const params = Type.Object({
    token: Type.String(),
    level: Type.String({ pattern: '^([1-9]\\d?|mask)$' }),
  });
  const schema = { hide: true, params };

  scope.get(mailPagePaths.reward, { schema }, async (request, reply) => {
    const link = await links.read(request, 'reward');
    return sendState(request, reply, { link, level: request.params.level });
  });

  scope.post(mailPagePaths.reward, { schema }, async (request, reply) => {
    const link = await links.readForm(request, 'reward');
    const { level, token } = request.params;
    if (link.state !== 'open') return sendState(request, reply, { link, level });
    const address = readAddress(formOf(request));
    const { id: memberId } = link.member;
    const isStored = await links.inSlot(link.member, () =>
      level === 'mask'
        ? writeParcelAddress(database, { memberId, address })
        : writeAddress(database, { memberId, tier: Number(level), address }),
    );
    if (!isStored) throw conflict('This reward is on its way already.');
    return reply.redirect(fillPath(mailPagePaths.reward, token, level), 303);
  });

  async function readAsked(memberId: string, level: string) {
    if (level === 'mask') {
      const parcel = await readAskedParcel(database, memberId);
      return parcel && { ...parcel, reward: `Your mask in ${parcel.size}` };
    }
    const tier = Number(level);
    const state = await readState(database, { memberId, tier });
    return state && { state, reward: brand.tiers[tier - 1]?.reward ?? '' };
  }

  async function sendState(
    request: FastifyRequest,
    reply: FastifyReply,
    { link, level }: { readonly link: OpenedLink; readonly level: string },
  ) {
    if (link.state === 'expired') return links.send(request, reply.code(410), 'reward-expired');
    if (link.state !== 'open') return links.sendUnknown(request, reply);
    const { member } = link;
    const asked = await links.inSlot(member, () => readAsked(member.id, level));
    if (asked === null) return links.sendUnknown(request, reply);
    const { state, reward } = asked;
    return links.sendMember(request, reply, {
      name: `reward-${state}`,
      member,
      places: { level, reward },
    });
  }
}

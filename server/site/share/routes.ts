import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import {
  fillPath,
  IMAGE_FORMATS,
  imagePaths,
  PASS_FORMATS,
  pagePaths,
} from '../../../contract/paths.ts';
import { readReferralCode } from '../../../contract/referral-code-rules.ts';
import { REWARD_DRAWINGS } from '../../../contract/reward-drawings.ts';
import type { Member } from '../../../contract/schemas.ts';
import { getPass } from '../../drop/views/drop-standing.ts';
import type { HttpServer } from '../../http/http-server.ts';
import type { Counters } from '../../line/funnel/counters.ts';
import type { Platform } from '../../module.ts';
import { Problem } from '../../problem.ts';
import type { VerifyCode } from '../../visitors/verify-code.ts';
import { IMMUTABLE } from '../pages/assets.ts';
import type { ImageJob } from './render-job.ts';
import type { ShareImages } from './share-images.ts';

type ShareOptions = {
  readonly images: ShareImages;
  readonly version: string;
  readonly neutralCard: Buffer;
  readonly verifyCode: VerifyCode;
  readonly getStatus: (memberId: string) => Promise<Member>;
  readonly counters: Pick<Counters, 'countOpening'>;
};

const VERSIONED_IMAGE = {
  hide: true,
  params: Type.Object({ version: Type.String(), code: Type.String() }),
};

const MEMBER_IMAGE = {
  hide: true,
  params: Type.Object({ memberId: Type.String(), format: Type.String() }),
};

const REWARD_IMAGE = {
  hide: true,
  params: Type.Object({ version: Type.String(), code: Type.String(), picture: Type.String() }),
};

type CodeRequest = { readonly params: { readonly code: string }; readonly ip: string };

type VersionedRequest = { readonly params: { readonly version: string }; readonly ip: string };

const REWARD_PICTURES = Object.keys(REWARD_DRAWINGS) as (keyof typeof REWARD_DRAWINGS)[];

const FIVE_MINUTES = 'public, max-age=300';

export function addShareRoutes(
  server: HttpServer,
  { brand, database, config: { publicUrl } }: Platform,
  { images, version, neutralCard, verifyCode, getStatus, counters }: ShareOptions,
): void {
  const linkOf = (code: string) => publicUrl + fillPath(pagePaths.invite, code);
  const slug = brand.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

  server.get(imagePaths.inviteCard, { schema: VERSIONED_IMAGE }, async (request, reply) => {
    const card = await drawForMember(request, (code) => ({ kind: 'invite-card', code }));
    // Link previews load the card, so a loaded card means an opened link.
    if (card !== null) counters.countOpening(readReferralCode(request.params.code) ?? '');
    reply.header('cache-control', cacheTimeOf(card, request.params.version));
    return sendPublicImage(reply, 'image/jpeg', card ?? neutralCard);
  });

  server.get(imagePaths.ghost, { schema: VERSIONED_IMAGE }, async (request, reply) => {
    const ghost = await drawForMember(request, (code) => ({ kind: 'ghost', code }));
    return sendVersioned(reply, request, ghost);
  });

  server.get(imagePaths.reward, { schema: REWARD_IMAGE }, async (request, reply) => {
    const picture = pick(REWARD_PICTURES, request.params.picture);
    const reward = await drawForMember(request, (code) => ({ kind: 'reward', picture, code }));
    return sendVersioned(reply, request, reward);
  });

  /** A member who left has the unlit mask. */
  async function sendVersioned(
    reply: FastifyReply,
    { params, ip }: VersionedRequest,
    drawn: Buffer | null,
  ): Promise<FastifyReply> {
    reply.header('cache-control', cacheTimeOf(drawn, params.version));
    const image = drawn ?? (await images.draw({ kind: 'ghost', code: null }, ip));
    return sendPublicImage(reply, 'image/jpeg', image);
  }

  function cacheTimeOf(image: Buffer | null, askedVersion: string): string {
    if (image === null) return 'no-store';
    return askedVersion === version ? IMMUTABLE : FIVE_MINUTES;
  }

  /** Throws when drawing fails: crawlers would cache the neutral card in place of the image. */
  async function drawForMember(
    request: CodeRequest,
    jobOf: (code: string) => ImageJob,
  ): Promise<Buffer | null> {
    const code = await readMembersCode(request);
    return code === null ? null : await images.draw(jobOf(code), request.ip);
  }

  async function readMembersCode({ params, ip }: CodeRequest): Promise<string | null> {
    const code = readReferralCode(params.code);
    return code !== null && (await verifyCode(code, ip)).valid ? code : null;
  }

  server.get(imagePaths.memberImage, { schema: MEMBER_IMAGE }, async (request, reply) => {
    const format = pick(IMAGE_FORMATS, request.params.format);
    const { referral_code: code, position } = await getStatus(request.params.memberId);
    const job = { kind: 'member-image', format, code, position, link: linkOf(code) } as const;
    return sendOwnImage(reply, format, await images.draw(job, request.ip));
  });

  server.get(imagePaths.passImage, { schema: MEMBER_IMAGE }, async (request, reply) => {
    const { memberId } = request.params;
    const format = pick(PASS_FORMATS, request.params.format);
    const { referral_code: code } = await getStatus(memberId);
    const pass = await getPass(database, memberId);
    if (pass === null) throw new Problem('unknown_path', 'This member has no pass.');
    const image = await images.draw({ kind: 'pass-image', format, code, pass }, request.ip);
    return sendOwnImage(reply, `pass-${format}`, image);
  });

  function sendOwnImage(reply: FastifyReply, name: string, image: Buffer): FastifyReply {
    reply.header('cache-control', 'private, no-store').header('x-robots-tag', 'noindex');
    reply.header('content-disposition', `inline; filename="${slug}-${name}.jpg"`);
    return reply.type('image/jpeg').send(image);
  }

  server.get(
    imagePaths.inviteQr,
    { schema: { hide: true, params: Type.Object({ code: Type.String() }) } },
    async (request, reply) => {
      const code = await readMembersCode(request);
      if (code === null) throw new Problem('unknown_path', 'No member has this referral code.');
      const picture = await images.draw({ kind: 'qr', link: linkOf(code) }, request.ip);
      reply.header('cache-control', FIVE_MINUTES);
      return sendPublicImage(reply, 'image/svg+xml', picture);
    },
  );
}

function pick<Name extends string>(names: readonly Name[], name: string): Name {
  const found = names.find((listed) => listed === name);
  if (found === undefined) throw new Problem('unknown_path', 'There is no image of this format.');
  return found;
}

function sendPublicImage(reply: FastifyReply, type: string, image: Buffer | string): FastifyReply {
  return reply
    .header('x-robots-tag', 'noindex')
    .header('cross-origin-resource-policy', 'cross-origin')
    .type(type)
    .send(image);
}

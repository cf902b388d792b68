/** Pictures to share: the card of an invite link, a ghost alone, a member's own image, and the QR code of an invite. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { IMAGE_FORMATS, pagePaths, routePatterns } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { Limits } from '../limits/limits.ts';
import { Problem } from '../problem.ts';
import { readReferralCode } from '../referrals/referral-code-rules.ts';
import { StartupError } from '../startup-error.ts';
import type { CardStyle } from './cards/card-style.ts';
import { openKeptImages } from './kept-images.ts';
import { drawQr, type RenderJob } from './render-job.ts';
import type { ShareImages } from './share-images.ts';

type ShareOptions = {
  readonly style: CardStyle;
  readonly publicUrl: string;
  readonly images: ShareImages;
  /** Of the pictures as they are drawn now. */
  readonly version: string;
  /** What everybody gets who shares no invite of a member. */
  readonly neutralCard: Buffer;
  readonly limits: Limits;
  readonly isMembersCode: (code: string) => Promise<boolean>;
  readonly getStatus: (memberId: string) => Promise<Member>;
};

const PICTURE_OF_A_CODE = { hide: true, params: Type.Object({ version: Type.String(), code: Type.String() }) };

type CodeRequest = { readonly params: { readonly code: string }; readonly ip: string };

/** About 50 QR codes. */
const KEPT_QR_BYTES = 1024 * 1024;

const FOR_EVER = 'public, max-age=31536000, immutable';
const SHORTLY = 'public, max-age=300';

export function addShareRoutes(server: HttpServer, options: ShareOptions): void {
  const { style, publicUrl, images, version, neutralCard, limits, isMembersCode, getStatus } = options;
  const linkOf = (code: string) => publicUrl + pagePaths.invite(code);
  const keptQrs = openKeptImages(KEPT_QR_BYTES);
  const cacheTimeOf = (asked: string) => (asked === version ? FOR_EVER : SHORTLY);

  server.get(routePatterns.inviteCard, { schema: PICTURE_OF_A_CODE }, async (request, reply) => {
    const card = await drawForMember(request, (code) => ({ kind: 'invite-card', code }));
    reply.header('cache-control', card === null ? 'no-store' : cacheTimeOf(request.params.version));
    return sendPublicImage(reply, 'image/jpeg', card ?? neutralCard);
  });

  server.get(routePatterns.ghost, { schema: PICTURE_OF_A_CODE }, async (request, reply) => {
    const ghost = await drawForMember(request, (code) => ({ kind: 'ghost', code }));
    reply.header('cache-control', ghost === null ? 'no-store' : cacheTimeOf(request.params.version));
    return sendPublicImage(reply, 'image/jpeg', ghost ?? (await images.draw({ kind: 'ghost', code: null })));
  });

  /** null for a code that is no member's, and when it cannot be drawn now: a plain picture is better than none. */
  async function drawForMember(request: CodeRequest, jobOf: (code: string) => RenderJob): Promise<Buffer | null> {
    const code = await readMembersCode(request);
    if (code === null) return null;
    return await images.draw(jobOf(code)).catch((error) => {
      if (error instanceof Problem) return null;
      throw error;
    });
  }

  async function readMembersCode({ params, ip }: CodeRequest): Promise<string | null> {
    const code = readReferralCode(params.code);
    if (code === null) return null;
    // Counted like the verifying of a code: else this would be the place to guess them.
    const giveBack = limits.countGuess(ip);
    if (!(await isMembersCode(code))) return null;
    giveBack();
    return code;
  }

  server.get(
    routePatterns.memberImage,
    { schema: { hide: true, params: Type.Object({ memberId: Type.String(), format: Type.String() }) } },
    async (request, reply) => {
      const format = IMAGE_FORMATS.find((name) => name === request.params.format);
      if (format === undefined) throw new Problem('unknown_path', 'There is no image of this format.');
      const { referral_code: code, position } = await getStatus(request.params.memberId);
      const image = await images.draw({ kind: 'member-image', format, code, position, link: linkOf(code) });
      return reply
        .header('cache-control', 'private, no-store')
        .header('x-robots-tag', 'noindex')
        .header('content-disposition', `inline; filename="${fileName(style.brand.name, format)}"`)
        .type('image/jpeg')
        .send(image);
    },
  );

  // Drawn on this thread in a millisecond, so for members' codes alone, and kept: else everybody could have it busy with nothing.
  server.get(
    routePatterns.inviteQr,
    { schema: { hide: true, params: Type.Object({ code: Type.String() }) } },
    async (request, reply) => {
      const code = await readMembersCode(request);
      if (code === null) throw new Problem('unknown_path', 'This is no referral code of a member.');
      const picture = keptQrs.get(code) ?? Buffer.from(drawQr(linkOf(code), style.tokens));
      keptQrs.keep(code, picture);
      reply.header('cache-control', SHORTLY);
      return sendPublicImage(reply, 'image/svg+xml', picture);
    },
  );
}

/** The card that the site shows of itself. Throws a StartupError when the site is not built. */
export async function readNeutralCard(siteDir: string): Promise<Buffer> {
  const path = join(siteDir, 'site', 'og.jpg');
  return await readFile(path).catch((cause) => {
    throw new StartupError(`The site is not built: ${path} cannot be read. Run npm run build.`, { cause });
  });
}

/** Other sites and apps may show it. */
function sendPublicImage(reply: FastifyReply, type: string, image: Buffer): FastifyReply {
  return reply
    .header('x-robots-tag', 'noindex')
    .header('cross-origin-resource-policy', 'cross-origin')
    .type(type)
    .send(image);
}

function fileName(brandName: string, format: string): string {
  const slug = brandName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `${slug}-${format}.jpg`;
}

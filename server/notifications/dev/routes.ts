import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { devMailPaths } from '../../../contract/dev-mail-paths.ts';
import type { RenderMail } from '../../../contract/mails.ts';
import { answerError, toProblem } from '../../http/errors.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { wantsPage } from '../../http/unknown-requests.ts';
import type { Platform } from '../../module.ts';
import { Problem } from '../../problem.ts';
import type { ShareImages } from '../../site/share/share-images.ts';
import type { DevMailAccess } from './access.ts';
import { findKeptMail, type KeptMail, listKeptMails } from './kept-mails.ts';
import {
  frameMail,
  listView,
  mailView,
  noticeView,
  openMailPages,
  samplesView,
  uncached,
} from './mail-page.ts';
import { SAMPLE_CODE, sampleFrame, sampleMails, sampleTier } from './sample-mails.ts';

type DevMailOptions = {
  readonly devAccess: DevMailAccess | null;
  readonly brandDir: string;
  readonly renderMail: RenderMail;
  readonly images: ShareImages;
};

const NAMED = { hide: true, params: Type.Object({ name: Type.String() }) };
const PAGED = {
  hide: true,
  querystring: Type.Object({ page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,5}$' })) }),
};

export function addDevMailRoutes(
  server: HttpServer,
  { config: { dataDir, publicUrl }, brand }: Platform,
  { devAccess: access, brandDir, renderMail, images }: DevMailOptions,
): void {
  if (access === null) return;

  const tokens = readFileSync(join(brandDir, 'tokens.css'), 'utf8');
  const sendPage = openMailPages(brand.name, tokens);
  const samples = sampleMails(brand).map(({ name, kind, content }) => ({
    name,
    isOn: isOn(brand.mails[kind]),
    mail: renderMail(content, sampleFrame(publicUrl, content.shown !== undefined)),
  }));
  const { picture } = sampleTier(brand.tiers);
  const route = { onRequest: access.refuseWhenClosed, errorHandler: showRefusal };
  const keptRoute = { ...route, onRequest: [access.refuseWhenClosed, access.requireKey] };

  server.get(devMailPaths.list, { ...keptRoute, schema: PAGED }, async (request, reply) => {
    const page = Number(request.query.page ?? 1);
    const main = listView(await listKeptMails(dataDir, page), page);
    return sendPage(reply, { path: devMailPaths.list, title: 'Kept mail', main });
  });

  server.get(devMailPaths.mail, { ...keptRoute, schema: NAMED }, async (request, reply) => {
    const mail = await getMail(request.params.name);
    return sendPage(reply, { title: mail.subject, main: mailView(mail) });
  });

  server.get(devMailPaths.mailHtml, { ...keptRoute, schema: NAMED }, async (request, reply) => {
    const { html } = await getMail(request.params.name);
    return frameMail(uncached(reply), publicUrl, html);
  });

  server.get(devMailPaths.mailSource, { ...keptRoute, schema: NAMED }, async (request, reply) => {
    const { source } = await getMail(request.params.name);
    return uncached(reply).type('text/plain; charset=utf-8').send(source);
  });

  const { samples: path } = devMailPaths;
  server.get(path, { ...route, schema: { hide: true } }, async (_request, reply) =>
    sendPage(reply, { path, title: 'All mails', main: samplesView(samples) }),
  );

  server.get(
    devMailPaths.sampleHtml,
    { ...route, schema: { hide: true, params: Type.Object({ sample: Type.String() }) } },
    async (request, reply) => {
      const sample = samples.find(({ name }) => name === request.params.sample);
      if (sample === undefined) throw notFound();
      return frameMail(uncached(reply), publicUrl, sample.mail.html);
    },
  );

  for (const [imagePath, job] of [
    [devMailPaths.sampleGhost, { kind: 'ghost', code: SAMPLE_CODE }],
    [devMailPaths.sampleReward, { kind: 'reward', picture, code: SAMPLE_CODE }],
  ] as const)
    server.get(imagePath, { ...route, schema: { hide: true } }, async ({ ip }, reply) =>
      uncached(reply)
        // A sandboxed mail has an opaque origin, so this image is cross-origin to it.
        .header('cross-origin-resource-policy', 'cross-origin')
        .type('image/jpeg')
        .send(await images.draw(job, ip)),
    );

  function showRefusal(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    const problem = toProblem(error);
    if (problem?.code === 'unknown_path' && wantsPage(request)) {
      const main = noticeView(problem.detail);
      sendPage(reply.code(404), { path: devMailPaths.list, title: 'Kept mail', main });
    } else answerError(error, request, reply);
  }

  async function getMail(name: string): Promise<KeptMail> {
    const mail = await findKeptMail(dataDir, name);
    if (mail === null) throw notFound();
    return mail;
  }
}

function notFound(): Problem {
  return new Problem('unknown_path', 'There is nothing at this path.');
}

function isOn(mail: object): boolean {
  return !('isOn' in mail) || mail.isOn === true;
}

/** Mail to read in the browser while none is sent: what was kept, and a sample of each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../../brand/brand-shape.ts';
import { devMailPaths, devMailRoutes } from '../../../contract/dev-mail-paths.ts';
import type { RenderMail } from '../../../contract/mails.ts';
import type { Config } from '../../config.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { Problem } from '../../problem.ts';
import type { ShareImages } from '../../share/share-images.ts';
import { findKeptMail, type KeptMail, listKeptMails } from './kept-mails.ts';
import { type MailPage, mailPolicy, openLinksInTab, openMailPages } from './mail-page.ts';
import { listView, mailView, samplesView } from './mail-views.ts';
import { SAMPLE_CODE, sampleFrame, sampleMails } from './sample-mails.ts';

type DevMailOptions = {
  readonly config: Config;
  readonly brand: Brand;
  readonly brandDir: string;
  readonly renderMail: RenderMail;
  readonly images: ShareImages;
};

const MOST_LISTED = 100;
const NAMED = { hide: true, params: Type.Object({ name: Type.String() }) };

/**
 * Whether mail is kept and this machine alone can reach the server: kept mails hold the links of members. A public origin or a
 * trusted proxy means that others come by way of this machine.
 */
export function showsKeptMail({ smtpUrl, host, publicUrl, trustProxy }: Config): boolean {
  const isReachedHereAlone = isLoopback(host) && isLoopback(new URL(publicUrl).hostname) && trustProxy.length === 0;
  return smtpUrl === null && isReachedHereAlone;
}

/** Adds nothing where kept mail is not to be shown. */
export function addDevMailRoutes(server: HttpServer, options: DevMailOptions): void {
  const { config, brand, brandDir, renderMail, images } = options;
  const { dataDir, publicUrl } = config;
  if (!showsKeptMail(config)) return;

  const renderPage = openMailPages({
    brandName: brand.name,
    tokens: readFileSync(join(brandDir, 'tokens.css'), 'utf8'),
    links: [
      { place: 'mails', href: devMailPaths.list(), label: 'Kept mail' },
      { place: 'samples', href: devMailPaths.samples(), label: 'All mails' },
    ],
  });
  const { reward = 'A reward' } = brand.tiers[0] ?? {};
  const { reward: nextReward = reward } = brand.tiers[1] ?? {};
  const samples = sampleMails(publicUrl, [reward, nextReward]).map(({ name, content }) => ({
    name,
    isOn: brand.mails[content.kind].isOn,
    mail: renderMail(content, sampleFrame(publicUrl)),
  }));
  const route = { onRequest: refuseOtherNames };

  server.get(devMailRoutes.list, { ...route, schema: { hide: true } }, async (_request, reply) => {
    const listed = await listKeptMails(dataDir, { most: MOST_LISTED });
    return sendPage(reply, renderPage({ place: 'mails', title: 'Kept mail', main: listView(listed) }));
  });

  server.get(devMailRoutes.mail, { ...route, schema: NAMED }, async (request, reply) => {
    const mail = await getMail(request.params.name);
    return sendPage(reply, renderPage({ place: 'mail', title: mail.subject, main: mailView(mail) }));
  });

  server.get(devMailRoutes.mailHtml, { ...route, schema: NAMED }, async (request, reply) => {
    const { html } = await getMail(request.params.name);
    return sendMail(reply, html);
  });

  server.get(devMailRoutes.mailSource, { ...route, schema: NAMED }, async (request, reply) => {
    const { source } = await getMail(request.params.name);
    return standing(reply).type('text/plain; charset=utf-8').send(source);
  });

  server.get(devMailRoutes.samples, { ...route, schema: { hide: true } }, async (_request, reply) =>
    sendPage(reply, renderPage({ place: 'samples', title: 'All mails', main: samplesView(samples) })),
  );

  server.get(
    devMailRoutes.sampleHtml,
    { ...route, schema: { hide: true, params: Type.Object({ sample: Type.String() }) } },
    async (request, reply) => {
      const sample = samples.find(({ name }) => name === request.params.sample);
      if (sample === undefined) throw nothingHere();
      return sendMail(reply, sample.mail.html);
    },
  );

  server.get(devMailRoutes.sampleGhost, { ...route, schema: { hide: true } }, async (_request, reply) =>
    standing(reply)
      // A mail in its sandbox is of no origin, not even of this one.
      .header('cross-origin-resource-policy', 'cross-origin')
      .type('image/jpeg')
      .send(await images.draw({ kind: 'ghost', code: SAMPLE_CODE })),
  );

  async function getMail(name: string): Promise<KeptMail> {
    const mail = await findKeptMail(dataDir, name);
    if (mail === null) throw nothingHere();
    return mail;
  }

  function sendMail(reply: FastifyReply, html: string): FastifyReply {
    return (
      standing(reply)
        .header('content-security-policy', mailPolicy(publicUrl))
        .header('x-frame-options', 'SAMEORIGIN')
        // Nothing to ask for: in its sandbox it has no origin.
        .removeHeader('origin-agent-cluster')
        .type('text/html; charset=utf-8')
        .send(openLinksInTab(html))
    );
  }
}

function sendPage(reply: FastifyReply, { html, policy }: MailPage): FastifyReply {
  return standing(reply).header('content-security-policy', policy).type('text/html; charset=utf-8').send(html);
}

function standing(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
}

/** A page of another site can have its own name lead to this machine, and would then read along. */
async function refuseOtherNames(request: FastifyRequest): Promise<void> {
  if (!isLoopback(request.hostname)) throw nothingHere();
}

function nothingHere(): Problem {
  return new Problem('unknown_path', 'There is nothing at this path.');
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}

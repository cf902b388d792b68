import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import escapeHtml from 'escape-html';
import type { FastifyReply } from 'fastify';
import { devMailPaths } from '../../../contract/dev-mail-paths.ts';
import type { RenderedMail } from '../../../contract/mails.ts';
import { fillPath } from '../../../contract/paths.ts';
import { forbidChanges } from '../../http/send-page.ts';
import type { KeptMail, KeptMailPage } from './kept-mails.ts';

const OWN_STYLE = readFileSync(new URL('./mail-page.css', import.meta.url), 'utf8');

const MENU: Readonly<Record<string, string>> = {
  [devMailPaths.list]: 'Kept mail',
  [devMailPaths.samples]: 'All mails',
};

/** `path`: the page of the menu that it is, if any. */
type MailPage = { readonly path?: string; readonly title: string; readonly main: string };

export function openMailPages(brandName: string, tokens: string) {
  const style = tokens + OWN_STYLE;
  const hash = createHash('sha256').update(style).digest('base64');
  const policy =
    `default-src 'none'; style-src 'sha256-${hash}'; frame-src 'self'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return (reply: FastifyReply, { path, title, main }: MailPage): FastifyReply => {
    const menu = Object.entries(MENU).map(([href, label]) => {
      const current = href === path ? ' aria-current="page"' : '';
      return `<a href="${href}"${current}>${label}</a>`;
    });
    const html = [
      '<!doctype html><html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${escapeHtml(title)}</title><style>${style}</style></head><body>`,
      `<header><strong>${escapeHtml(brandName)}</strong>${menu.join('')}</header>`,
      `<main>${main}</main></body></html>`,
    ].join('');
    return forbidChanges(uncached(reply))
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(html);
  };
}

export function uncached(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
}

const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

/** A mail is untrusted: no scripts, no access to this origin, images of this server only. */
export function frameMail(
  reply: Pick<FastifyReply, 'header' | 'getHeader'>,
  publicUrl: string,
  html: string,
): string {
  const policy =
    `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' ${publicUrl}; ` +
    `base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox ${SANDBOX}`;
  forbidChanges(reply)
    .header('content-security-policy', policy)
    .header('x-frame-options', 'SAMEORIGIN')
    .removeHeader('origin-agent-cluster')
    .type('text/html; charset=utf-8');
  const base = '<base target="_blank">';
  return /<head\b[^>]*>/i.test(html)
    ? html.replace(/<head\b[^>]*>/i, (head) => head + base)
    : base + html;
}

export function listView({ mails, pages }: KeptMailPage, page: number): string {
  if (mails.length === 0)
    return noticeView('Nothing yet. Join the line, and the first mail is here.');
  const rows = mails.map(
    ({ name, subject, to, keptAt }) =>
      `<li><a href="${fillPath(devMailPaths.mail, name)}">` +
      `${escapeHtml(subject || 'No subject')}</a>` +
      `<span class="quiet">${escapeHtml(to)}</span>` +
      `<span class="label">${timeOf(keptAt)}</span></li>`,
  );
  const link = (label: string, to: number) => {
    if (to < 1 || to > pages) return '';
    return `<a href="${devMailPaths.list}${to === 1 ? '' : `?page=${to}`}">${label}</a>`;
  };
  return (
    `<h1>Kept mail</h1><p class="quiet">The newest first, page ${page} of ${pages}.</p>` +
    `<ol class="mails">${rows.join('')}</ol>` +
    `<p class="facts">${link('Newer', page - 1)}${link('Older', page + 1)}</p>`
  );
}

export function noticeView(detail: string): string {
  return `<h1>Kept mail</h1><p class="quiet">${escapeHtml(detail)}</p>`;
}

export function mailView({ name, subject, to, keptAt, text }: KeptMail): string {
  return (
    `<h1>${escapeHtml(subject || 'No subject')}</h1>` +
    `<p class="facts"><span class="quiet">To ${escapeHtml(to)}</span>` +
    `<span class="label">${timeOf(keptAt)}</span>` +
    `<a href="${fillPath(devMailPaths.mailSource, name)}">Source</a></p>` +
    `<div class="views">${frame('HTML version', fillPath(devMailPaths.mailHtml, name))}` +
    `${plainText(text)}</div>`
  );
}

export function samplesView(
  samples: readonly { name: string; isOn: boolean; mail: RenderedMail }[],
): string {
  const sections = samples.map(({ name, isOn, mail }) => {
    const html = fillPath(devMailPaths.sampleHtml, name);
    const size = `${(Buffer.byteLength(mail.html) / 1000).toFixed(1)} kB`;
    return (
      `<section class="sample"><h2>${escapeHtml(mail.subject)}</h2>` +
      `<p class="facts"><span class="label">${name}${isOn ? '' : ', switched off'}</span>` +
      `<span class="label">${size}</span></p>` +
      `<div class="views">${frame(`${name}, wide`, html)}` +
      `${frame(`${name}, phone`, html, 'phone')}${plainText(mail.text)}</div></section>`
    );
  });
  return (
    '<h1>All mails</h1>' +
    `<p class="quiet">With sample values, so the links lead nowhere.</p>${sections.join('')}`
  );
}

function frame(title: string, address: string, className = ''): string {
  return (
    `<iframe title="${escapeHtml(title)}" class="${className}" sandbox="${SANDBOX}"` +
    ` loading="lazy" src="${address}"></iframe>`
  );
}

/** Focusable, so that it can be scrolled by keyboard. */
function plainText(text: string): string {
  return `<pre tabindex="0">${escapeHtml(text)}</pre>`;
}

function timeOf(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

import { createHash } from 'node:crypto';
import escapeHtml from 'escape-html';
import type { FastifyReply } from 'fastify';
import { devMailPaths } from '../../../contract/dev-mail-paths.ts';
import type { RenderedMail } from '../../../contract/mails.ts';
import { fillPath } from '../../../contract/paths.ts';
import { forbidChanges } from '../../http/send-page.ts';
import type { KeptMail, KeptMailPage } from './kept-mails.ts';

const OWN_STYLE = `
*{box-sizing:border-box;margin:0}
body{background:var(--void);color:var(--bone);font:400 1rem/1.5 system-ui,sans-serif;\
padding:0 max(1.25rem,(100vw - 88rem)/2) 4rem;overflow-wrap:break-word}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem;min-height:4rem;\
padding-block:.75rem;border-bottom:1px solid var(--line);margin-bottom:2rem}
header strong{font-weight:800;text-transform:uppercase;margin-right:auto}
a{color:var(--bone);text-underline-offset:.25em;padding-block:.625rem}
a[aria-current]{color:var(--afterglow);text-decoration:none}
a:focus-visible,pre:focus-visible{outline:2px solid var(--afterglow);outline-offset:3px}
h1,h2{font-weight:800;line-height:1.15;letter-spacing:-.02em}
h1{font-size:clamp(1.5rem,1.2rem + 1.4vw,2.25rem);margin-bottom:.5rem}
h2{font-size:1.25rem}
.quiet{color:var(--fog)}
.label{color:var(--fog);font:400 .75rem/1.5 ui-monospace,monospace;letter-spacing:.04em}
.mails{list-style:none;padding:0;margin-top:1.5rem;border-top:1px solid var(--line)}
.mails li{display:grid;grid-template-columns:1fr auto;gap:0 1.5rem;align-items:baseline;\
padding:.875rem 0;border-bottom:1px solid var(--line)}
.mails a{font-weight:600;text-decoration:none;padding-block:0}
.mails a:hover{text-decoration:underline}
.mails .quiet{grid-column:1}
.mails .label{grid-area:1/2}
.facts{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1.5rem;margin:.5rem 0 1.5rem}
.views{display:flex;flex-wrap:wrap;gap:1.5rem;align-items:flex-start}
iframe,pre{border:1px solid var(--line);border-radius:var(--radius-card);background:var(--void)}
iframe{display:block;height:62rem;width:640px;max-width:100%}
pre{background:var(--carbon);flex:1 1 22rem;min-width:0;padding:1.25rem;white-space:pre-wrap;\
overflow-wrap:anywhere;font:400 .8125rem/1.6 ui-monospace,monospace}
.sample{margin-top:3rem}
.sample iframe{height:64rem;width:600px;zoom:.75}
.sample pre{font-size:.75rem}
.sample iframe.phone{width:320px;height:90rem;flex:none}
@media (max-width:48rem){
iframe{height:80rem}
.sample iframe{display:none}
.sample iframe.phone{display:block;zoom:1;width:100%}
.mails li{grid-template-columns:1fr}.mails .label{grid-area:auto}
}
`;

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

/** The contents of the pages for reading kept mail, as HTML. */
import { devMailPaths } from '../../../contract/dev-mail-paths.ts';
import type { RenderedMail } from '../../../contract/mails.ts';
import { fillPath } from '../../../contract/paths.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import type { KeptMail, KeptMailHead } from './kept-mails.ts';
import { SANDBOX } from './mail-page.ts';

export function listView({
  mails,
  page,
  pages,
}: {
  mails: readonly KeptMailHead[];
  page: number;
  pages: number;
}): string {
  if (mails.length === 0) return `<h1>Kept mail</h1>${EMPTY}`;
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

const EMPTY = '<p class="quiet">Nothing yet. Join the line, and the first mail is here.</p>';

export function refusalView(detail: string): string {
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

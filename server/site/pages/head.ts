import escapeHtml from 'escape-html';
import type { Brand } from '../../../brand/brand-shape.ts';
import { apiPaths, fillPath, imagePaths, PLAIN_QUERY, pagePaths } from '../../../contract/paths.ts';
import { findReferralCode } from '../../../contract/referral-code-rules.ts';

type Head = {
  readonly title: string;
  readonly description: string;
  readonly path: string;
  readonly isIndexed?: boolean;
  readonly card?: string;
  /** API calls that web/deferred-entry.ts starts with the HTML, before the app's script. */
  readonly calls?: readonly string[];
};

const NEUTRAL_CARD = '/og.jpg';

type Site = { readonly brand: Brand; readonly publicUrl: string };

export function landingHead(site: Site): string {
  const { landingTitle: title, landingDescription: description } = site.brand.copy;
  const head = { title, description, path: pagePaths.landing, isIndexed: true };
  return renderHead(site, head) + renderStructuredData(site.brand, site.publicUrl);
}

/** Link previews must not reveal anything about the member. */
export function statusHead(site: Site, memberId: string): string {
  const { landingTitle: title, landingDescription: description } = site.brand.copy;
  const calls = [fillPath(apiPaths.status, memberId), apiPaths.stats];
  const head = { title, description, path: pagePaths.landing, calls };
  return renderHead(site, head) + leadToPlainPage();
}

type InviteHead = { readonly code: string; readonly cardVersion: string; readonly query: string };

export function inviteHead(site: Site, { code, cardVersion, query }: InviteHead): string {
  const { inviteTitle: title, inviteDescription: description } = site.brand.copy;
  const known = findReferralCode(code);
  const card = known === null ? NEUTRAL_CARD : fillPath(imagePaths.inviteCard, known, cardVersion);
  const calls = [fillPath(apiPaths.verifyReferral, code)];
  const head = { title, description, path: fillPath(pagePaths.invite, code), card, calls };
  return renderHead(site, head) + leadToPlainPage(query);
}

/** Scripts of the page send old browsers there. The query keeps the source of the visit. */
function leadToPlainPage(query = ''): string {
  const url = escapeHtml(query === '' ? `?${PLAIN_QUERY}` : `?${query}&${PLAIN_QUERY}`);
  return `<noscript><meta http-equiv="refresh" content="0;url=${url}"></noscript>`;
}

export function notFoundHead(site: Site): string {
  const { notFoundTitle: title, notFoundText: description } = site.brand.copy;
  return renderHead(site, { title, description, path: pagePaths.landing });
}

/** JSON-LD. A schema.org Product needs a price, unknown before the shop opens. */
export function renderStructuredData({ name, language, copy }: Brand, publicUrl: string): string {
  const url = `${publicUrl}/`;
  const id = `${url}#brand`;
  const logo = `${url}apple-touch-icon.png`;
  const site = {
    '@type': 'WebSite',
    '@id': `${url}#site`,
    url,
    name,
    description: copy.landingDescription,
    inLanguage: language,
    publisher: { '@id': id },
  };
  const graph = [site, { '@type': 'Organization', '@id': id, url, name, logo }];
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph });
  // A closing tag inside a text would end the element.
  return `<script type="application/ld+json">${json.replaceAll('<', '\\u003c')}</script>`;
}

function renderHead(
  { brand, publicUrl }: Site,
  { title, description, path, isIndexed = false, card = NEUTRAL_CARD, calls = [] }: Head,
): string {
  const url = publicUrl + path;
  return [
    `<title>${escapeHtml(title)}</title>`,
    named('description', description),
    ...(isIndexed ? [`<link rel="canonical" href="${escapeHtml(url)}">`] : []),
    named('robots', isIndexed ? 'max-image-preview:large' : 'noindex'),
    property('og:site_name', brand.name),
    property('og:type', 'website'),
    property('og:title', title),
    property('og:description', description),
    property('og:url', url),
    property('og:image', publicUrl + card),
    property('og:image:width', '1200'),
    property('og:image:height', '630'),
    named('twitter:card', 'summary_large_image'),
    ...calls.map((call) => named('call', call)),
  ].join('');
}

function named(name: string, content: string): string {
  return `<meta name="${name}" content="${escapeHtml(content)}">`;
}

function property(name: string, content: string): string {
  return `<meta property="${name}" content="${escapeHtml(content)}">`;
}

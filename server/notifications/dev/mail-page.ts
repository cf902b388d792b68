/** The HTML document of the pages for reading kept mail, and the content security policies. */
import { createHash } from 'node:crypto';
import { escapeHtml } from '../../http/escape-html.ts';

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

type Section = 'mails' | 'samples' | 'mail';
export type MailPage = { readonly html: string; readonly policy: string };

/** `tokens` is the text of the brand's tokens.css. The result renders pages; `main` is HTML. */
export function openMailPages(options: {
  brandName: string;
  tokens: string;
  links: readonly { section: Section; href: string; label: string }[];
}) {
  const { brandName, tokens, links } = options;
  const style = tokens + OWN_STYLE;
  const hash = createHash('sha256').update(style).digest('base64');
  const policy =
    `default-src 'none'; style-src 'sha256-${hash}'; frame-src 'self'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return ({
    section,
    title,
    main,
  }: {
    section: Section;
    title: string;
    main: string;
  }): MailPage => {
    const menu = links.map((link) => {
      const current = link.section === section ? ' aria-current="page"' : '';
      return `<a href="${link.href}"${current}>${link.label}</a>`;
    });
    const html = [
      '<!doctype html><html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${escapeHtml(title)}</title><style>${style}</style></head><body>`,
      `<header><strong>${escapeHtml(brandName)}</strong>${menu.join('')}</header>`,
      `<main>${main}</main></body></html>`,
    ].join('');
    return { html, policy };
  };
}

/**
 * For the mail itself, which is untrusted: no scripts, no access to this origin, images from this
 * server only. Links open an ordinary page in a new tab.
 */
export function mailPolicy(publicUrl: string): string {
  return (
    `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' ${publicUrl}; ` +
    `base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox ${SANDBOX}`
  );
}

export const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

/** Makes the links of a mail open in a new tab. */
export function openLinksInTab(html: string): string {
  const base = '<base target="_blank">';
  return /<head\b[^>]*>/i.test(html)
    ? html.replace(/<head\b[^>]*>/i, (head) => head + base)
    : base + html;
}

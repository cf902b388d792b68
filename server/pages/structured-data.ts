import type { Brand } from '../../brand/brand-shape.ts';

/**
 * Who is behind the site, for search engines, as JSON-LD. A data block: browsers do not run it, so the CSP need not allow it.
 * No schema.org Product: it asks for a price and an availability, and there is neither before the shop opens.
 */
export function renderStructuredData({ name, language, copy }: Brand, publicUrl: string): string {
  const url = `${publicUrl}/`;
  const graph = [
    {
      '@type': 'WebSite',
      '@id': `${url}#site`,
      url,
      name,
      description: copy.landingDescription,
      inLanguage: language,
      publisher: { '@id': `${url}#brand` },
    },
    { '@type': 'Organization', '@id': `${url}#brand`, url, name, logo: `${url}apple-touch-icon.png` },
  ];
  // A closing tag inside a text would end the block.
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replaceAll('<', '\\u003c');
  return `<script type="application/ld+json">${json}</script>`;
}

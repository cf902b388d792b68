import type { Brand } from '../../../brand/brand-shape.ts';

/**
 * Site and organization as JSON-LD, for search engines. The CSP ignores it: it is data, not script.
 * No schema.org Product: it needs a price and availability, unknown before the shop opens.
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
    {
      '@type': 'Organization',
      '@id': `${url}#brand`,
      url,
      name,
      logo: `${url}apple-touch-icon.png`,
    },
  ];
  // A closing tag inside a text would end the element.
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replaceAll(
    '<',
    '\\u003c',
  );
  return `<script type="application/ld+json">${json}</script>`;
}

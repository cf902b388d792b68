import type { Brand } from '../../../brand/brand-shape.ts';
import { isExampleLink } from '../../../contract/example-links.ts';

const WORDS = new Intl.ListFormat('en-GB');

export function describeExampleLinks({ links }: Pick<Brand, 'links'>): string | null {
  const examples = (['contact', 'privacy'] as const).filter((name) => {
    const link = links[name];
    return link !== undefined && isExampleLink(link);
  });
  if (examples.length === 0) return null;
  const keys = WORDS.format(examples.map((name) => `links.${name}`));
  const are = examples.length === 1 ? 'is an example' : 'are examples';
  return (
    `The footer of the pages shows no link to ${WORDS.format(examples)}: ${keys} in ` +
    `brand/brand.ts ${are}. Put in your own, and start again.`
  );
}

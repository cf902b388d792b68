import type { Brand } from '../../../brand/brand-shape.ts';
import { isExampleLink } from '../../../contract/example-links.ts';

const WORDS = new Intl.ListFormat('en-GB');

type Examples = Pick<Brand, 'links'> & { readonly product: Pick<Brand['product'], 'areExamples'> };

export function describeExamples({ links, product }: Examples): string[] {
  const sentences: string[] = [];
  const examples = (['contact', 'privacy'] as const).filter((name) => {
    const link = links[name];
    return link !== undefined && isExampleLink(link);
  });
  if (examples.length > 0) {
    const keys = WORDS.format(examples.map((name) => `links.${name}`));
    const are = examples.length === 1 ? 'is an example' : 'are examples';
    sentences.push(
      `The footer of the pages shows no link to ${WORDS.format(examples)}: ${keys} in ` +
        `brand/brand.ts ${are}. Put in your own, and start again.`,
    );
  }
  if (product.areExamples)
    sentences.push(
      'The landing page shows facts and sizes in cm that are examples: put your own into product ' +
        'and sizes in brand/brand.ts, set product.areExamples to false, and build again.',
    );
  return sentences;
}

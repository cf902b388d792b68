import type { Product } from './brand-shape.ts';

export const product: Product = {
  title: 'See it',
  facts: [
    { name: 'Material', text: 'Matte nylon, 1.6 mm', at: [-0.36, -0.78] },
    { name: 'Weight', text: '190 g with strap', at: [0.86, -0.3] },
    { name: 'Breathing', text: 'Four slots at the mouth', at: [-0.14, 0.55] },
    { name: 'Price', text: '140 EUR, shipping included', at: [0.2, 0.92] },
  ],
  guide: [
    { size: 'Small', faceCm: [16.5, 18.1] },
    { size: 'Medium', faceCm: [18.2, 19.8] },
    { size: 'Large', faceCm: [19.9, 21.5] },
  ],
  areExamples: true,
  measure:
    'Measure straight down from your hairline to the tip of your chin. ' +
    'No ruler? The long side of a bank card is 8.6 cm.',
  portrait: {
    file: 'mask.avif',
    alt: 'A head with the painted mask, half turned.',
  },
  pictures: [],
};

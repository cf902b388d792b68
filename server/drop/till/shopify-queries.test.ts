import { expect, test } from 'vitest';
import { problemsOf } from '../../../test/support/shopify-schema.ts';
import { queries } from './shopify-queries.ts';

test.each(Object.entries(queries))('Shopify publishes what %s asks', (_name, query) => {
  expect(problemsOf(query)).toEqual([]);
});

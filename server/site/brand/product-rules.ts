import type { Product } from '../../../brand/brand-shape.ts';
import { anyText, type Check, expected, flag, list, object, text } from './value-checks.ts';

const isPair = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);

const fromToCm = expected(
  'two numbers of centimetres, the smaller one first',
  (value) => isPair(value) && value[0] > 0 && value[0] < value[1],
);

const onMask = expected(
  'a point [u, v] of the mask: u from -1 to 1, v from -1.2 to 1.16',
  (value) => isPair(value) && Math.abs(value[0]) <= 1 && value[1] >= -1.2 && value[1] <= 1.16,
);

export const checkProduct: Check = object<Product>({
  title: text,
  facts: list(object<Product['facts'][number]>({ name: text, text: anyText, at: onMask })),
  guide: list(object<Product['guide'][number]>({ size: text, faceCm: fromToCm })),
  areExamples: flag,
  measure: text,
  pictures: list(object<Product['pictures'][number]>({ file: text, alt: text })),
});

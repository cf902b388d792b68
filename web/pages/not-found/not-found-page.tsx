import { brand } from '../../../brand/brand.ts';

export function NotFoundPage() {
  return <h1>{brand.copy.notFoundTitle}</h1>;
}

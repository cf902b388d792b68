import { dotPaths, halftone } from './halftone.ts';

/** The unlit mask as inline SVG in `currentColor`. 58 columns are about 2,900 dots. */
export function maskSvg({
  columns = 58,
  levels = 5,
}: {
  columns?: number;
  levels?: number;
} = {}): string {
  const { width, height, dots } = halftone(columns);
  return [
    '<svg class="mask" xmlns="http://www.w3.org/2000/svg"',
    ` viewBox="0 0 ${width} ${height}" fill="none"`,
    ` stroke="currentColor" stroke-linecap="round" aria-hidden="true">`,
    `${dotPaths(dots, { levels })}</svg>`,
  ].join('');
}

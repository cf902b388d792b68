/** Stands in for lucide's own component, which brings 1.2 kB of options that no icon here uses: the build resolves it to this. */
import { createElement, type SVGProps } from 'react';

type IconData = { readonly node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[] };
type IconProps = SVGProps<SVGSVGElement> & { size?: number };

function createLucideIcon({ node }: IconData) {
  return ({ size = 24, ...attributes }: IconProps) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...attributes,
      },
      ...node.map(([tag, shape]) => createElement(tag, shape)),
    );
}

// biome-ignore lint/style/noDefaultExport: the package imports it as its default.
export { createLucideIcon as default };

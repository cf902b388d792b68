import type { ComponentPropsWithRef, SVGAttributes } from 'react';

type Shape = SVGAttributes<SVGPathElement> & { readonly key: string };

type IconData = {
  readonly name: string;
  readonly node: readonly (readonly [tag: 'path', shape: Shape])[];
};

type IconProps = ComponentPropsWithRef<'svg'> & { readonly size?: number };

/** The site's build has it in place of `createLucideIcon`, which is ten times as large. */
// biome-ignore lint/style/noDefaultExport: the package imports its default.
export default function createLucideIcon({ name, node }: IconData) {
  return function Icon({ size = 24, className = '', ...rest }: IconProps) {
    return (
      <svg
        className={`lucide lucide-${name} ${className}`}
        viewBox="0 0 24 24"
        width={size}
        height={size}
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        {...rest}
      >
        {node.map(([Tag, { key, ...shape }]) => (
          <Tag key={key} {...shape} />
        ))}
      </svg>
    );
  };
}

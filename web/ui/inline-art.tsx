import { createContext, type ReactNode, type Ref, useContext, useState } from 'react';

type Art = Readonly<Record<string, string>>;

/** The pictures of the served HTML by id. Drawing one again would block a phone for 0.2 s. */
export const PrerenderedArt = createContext<Art>({});

export function readArt(root: ParentNode): Art {
  const pictures = root.querySelectorAll('.inline-art > [id]');
  return Object.fromEntries([...pictures].map(({ id, innerHTML }) => [id, innerHTML]));
}

type InlineArtProps = {
  readonly id: string;
  /** Returns an inline SVG of our own, never text from outside. */
  readonly draw: () => string;
  readonly ref?: Ref<HTMLDivElement>;
  readonly children?: ReactNode;
};

export function InlineArt({ id, draw, ref, children }: InlineArtProps) {
  const prerendered = useContext(PrerenderedArt)[id];
  // A constant object: React compares by identity, and would parse the dots again.
  const [content] = useState(() => ({ __html: prerendered ?? draw() }));
  return (
    <div className="inline-art" ref={ref}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by this site. */}
      <div id={id} dangerouslySetInnerHTML={content} />
      {children}
    </div>
  );
}

import { type Ref, useState } from 'react';

type DotArtProps = {
  /** Finds the picture in served HTML. */
  readonly id: string;
  /** Returns an inline SVG of our own making; never text from outside. */
  readonly draw: () => string;
  /** Lets a charge pass down once, when the picture appears. */
  readonly isSwept?: boolean;
  /** For what is to be laid over the picture. */
  readonly ref?: Ref<HTMLDivElement>;
};

/** A picture made of thousands of dots, decoration only. */
export function DotArt({ id, draw, isSwept = false, ref }: DotArtProps) {
  // One object for good: React compares it by identity, and would parse thousands of dots again at every update.
  const [content] = useState(() => ({ __html: takeServed(id) ?? draw() }));
  return (
    <div className="dot-art" ref={ref}>
      <div
        ref={rememberShown}
        id={id}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by this site from numbers alone.
        dangerouslySetInnerHTML={content}
      />
      {isSwept && <div className="charge-sweep" />}
    </div>
  );
}

/** Pictures that React has taken charge of. */
const shown = new WeakSet<Element>();

/** Pictures of the served HTML by id, for a page that the visitor comes back to. */
const served = new Map<string, string>();

function rememberShown(element: HTMLElement | null): void {
  if (element) shown.add(element);
}

/** Drawing again what the served HTML holds would keep a phone busy for 0.2 s; reading it back costs nothing. */
function takeServed(id: string): string | null {
  if (typeof document === 'undefined') return null;
  const element = document.getElementById(id);
  if (element && !shown.has(element)) served.set(id, element.innerHTML);
  return served.get(id) ?? null;
}

/** A wall of faces like those of the first in line. */
import { useRef, useState } from 'react';
import { coarsePaint, ghostSvg } from '../../../brand/art/ghost.ts';
import { brand } from '../../../brand/brand.ts';
import { pause, runInSlices } from '../../light/run-in-slices.ts';
import { useAsyncEffect } from '../../use-async-effect.ts';
import { useFaces } from '../parts/mask-meter.tsx';
import { compareFaces, inventCode } from './like-faces.ts';

/** Five rows of six on a phone, four of twelve on a desk. */
const countFaces = () => (matchMedia('(width < 46rem)').matches ? 30 : 48);
/** A face is 60 to 160 px wide: more dots would only be weight. */
const DOTS_ACROSS = 40;

export function FacesWall() {
  const wall = useRef<HTMLDivElement>(null);
  const faces = useFaces();
  const [pictures, setPictures] = useState<readonly string[]>([]);

  useAsyncEffect(
    async (signal) => {
      if (faces === null) return;
      await comeNear(wall.current as Element, signal);
      likeFaces ??= runInSlices(compareFaces(coarsePaint));
      const findLike = await likeFaces;
      const drawn: string[] = [];
      const count = countFaces();
      // Two at once would keep a slow phone busy for too long.
      while (drawn.length < count && !signal.aborted) {
        const face = faces[drawn.length];
        drawn.push(drawOnce(face === undefined ? inventCode(drawn.length) : findLike(face)));
        setPictures((old) => [...drawn, ...old.slice(drawn.length)]);
        await pause();
      }
    },
    [faces],
  );

  return (
    <div ref={wall} className="faces-wall" role="img" aria-label={brand.copy.facesAlt}>
      {pictures.map((picture, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a face has nothing but its place.
        <img key={index} src={picture} alt="" />
      ))}
    </div>
  );
}

/** Resolves when the wall is less than a screen away. */
function comeNear(wall: Element, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.at(-1)?.isIntersecting) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: '100%' },
    );
    observer.observe(wall);
    signal.addEventListener('abort', () => observer.disconnect());
  });
}

let likeFaces: Promise<(paint: string) => string> | undefined;

const drawn = new Map<string, string>();

function drawOnce(code: string): string {
  const picture =
    drawn.get(code) ??
    `data:image/svg+xml,${encodeURIComponent(ghostSvg(code, { columns: DOTS_ACROSS }))}`;
  drawn.set(code, picture);
  return picture;
}

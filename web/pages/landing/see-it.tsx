/** The mask in large, with facts and sizes. */

import stills from 'virtual:mask-stills.svg';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { product } from '../../../brand/product.ts';
import type { Turning } from '../../light/turning-mask.ts';
import { TeaserCard } from '../parts/teaser-card.tsx';
import { useMotionAllowed, useTurningMask } from './landing-mask.tsx';
import styles from './see-it.css?inline';

// The first view does without these styles.
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);

const facts = product.facts.filter(({ text }) => text !== '');
const { guide, portrait } = product;

export function Portrait() {
  return <img src={`/${portrait.file}`} alt={portrait.alt} loading="lazy" />;
}

export function SeeIt() {
  return (
    <section className="see-it" aria-labelledby="see-it">
      <h2 id="see-it">{product.title}</h2>
      <Stage />
      {guide.length > 0 && <SizeGuide />}
      <TeaserCard />
    </section>
  );
}

function Stage() {
  const stage = useRef<HTMLDivElement>(null);
  const mask = useRef<HTMLDivElement>(null);
  const isMoving = useMotionAllowed() && product.pictures.length === 0;
  const layout = useRef<Layout | null>(null);
  const [onTurn] = useState(() => drawLeads(layout));
  useTurningMask(mask, isMoving, { onTurn });

  useEffect(() => {
    const sizes = new ResizeObserver(() => {
      layout.current = null;
    });
    // A fact whose words wrap differently moves the start of its line.
    for (const part of stage.current?.querySelectorAll('dl > *, .see-it-mask') ?? [])
      sizes.observe(part);
    return () => sizes.disconnect();
  }, []);

  return (
    <div ref={stage} className="see-it-stage">
      <dl>
        {facts.map(({ name, text }) => (
          <div key={name} className="see-it-fact">
            <dt className="label">{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div ref={mask} className={isMoving ? 'see-it-mask' : 'see-it-pictures'}>
        <Pictures />
      </div>
      {isMoving && (
        <svg className="see-it-leads" aria-hidden="true">
          {facts.map(({ name }) => (
            <g key={name}>
              <line />
              <circle r="4" />
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}

const STILLS = {
  file: stills.slice(1),
  alt: 'The mask from the front, half turned and from the side.',
};

function Pictures() {
  const shown = product.pictures.length > 0 ? product.pictures : [STILLS];
  return shown.map(({ file, alt }) => <img key={file} src={`/${file}`} alt={alt} loading="lazy" />);
}

/** Half the height of a label, in px. A line meets the middle of its label. */
const HALF_LABEL = 8;

type Point = { readonly x: number; readonly y: number };
/** Relative to the stage, in px. */
type Layout = { readonly mask: Point & { readonly width: number }; readonly starts: Point[] };

/** Draws lines from the facts to the parts of the mask that they describe. They turn with it. */
function drawLeads(layout: RefObject<Layout | null>): Turning['onTurn'] {
  return (art, object, { yaw, pitch }) => {
    const stage = art.parentElement as HTMLElement;
    layout.current ??= measure(stage, art);
    const { mask, starts } = layout.current;
    const scale = mask.width / object.width;
    const lines = stage.querySelectorAll('.see-it-leads g');
    facts.forEach(({ at }, index) => {
      const [line, end] = lines[index]?.children ?? [];
      const start = starts[index];
      if (!start || !line || !end) return;
      const part = object.locate(at, yaw, pitch);
      const [x, y] = [mask.x + part.x * scale, mask.y + part.y * scale];
      setAttributes(line, { x1: start.x, y1: start.y, x2: x, y2: y });
      setAttributes(end, { cx: x, cy: y });
    });
  };
}

function measure(stage: HTMLElement, art: HTMLElement): Layout {
  const origin = stage.getBoundingClientRect();
  const box = art.getBoundingClientRect();
  const relative = ({ x, y }: Point): Point => ({ x: x - origin.x, y: y - origin.y });
  return {
    mask: { ...relative(box), width: box.width },
    starts: [...stage.querySelectorAll('.see-it-fact')].map((fact) =>
      relative(startOf(fact.getBoundingClientRect(), box)),
    ),
  };
}

/** A line starts where its fact is nearest to the mask. */
function startOf({ left, right, top, bottom }: DOMRect, mask: DOMRect): Point {
  if (right <= mask.left) return { x: right, y: top + HALF_LABEL };
  if (left >= mask.right) return { x: left - HALF_LABEL, y: top + HALF_LABEL };
  return { x: left + 3 * HALF_LABEL, y: top < mask.top ? bottom : top };
}

function setAttributes(element: Element, attributes: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value.toFixed(1));
}

const smallest = Math.min(...guide.map(({ faceCm }) => faceCm[0]));
const largest = Math.max(...guide.map(({ faceCm }) => faceCm[1]));
const share = (cm: number) => (100 * (cm - smallest)) / (largest - smallest);

function SizeGuide() {
  return (
    <div className="size-guide">
      <h3 className="label">Size guide: hairline to chin</h3>
      <ul>
        {guide.map(({ size, faceCm: [from, to] }) => (
          <li key={size}>
            <span>{size}</span>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect width="100" height="4" />
              <rect x={share(from)} width={share(to) - share(from)} height="4" />
            </svg>
            <span className="label">{`${from.toFixed(1)} to ${to.toFixed(1)} cm`}</span>
          </li>
        ))}
      </ul>
      <p>{product.measure}</p>
    </div>
  );
}

import {
  type ComponentProps,
  type CSSProperties,
  createContext,
  type ElementType,
  use,
} from 'react';
import type { Brand } from '../brand/brand-shape.ts';

const INKS = ['bone', 'fog', 'afterglow', 'charge', 'void'] as const;
const GROUNDS = ['void', 'carbon', 'afterglow', 'deep'] as const;
const BORDERS = ['line', 'edge'] as const;
const RADII = ['radius-control', 'radius-card'] as const;
const RIGHT_TO_LEFT = ['ar', 'fa', 'he', 'ur'];
/** Mails use pixels only: Outlook supports no other unit. */
const PX_PER_REM = 16;

export type Ink = (typeof INKS)[number];
type Ground = (typeof GROUNDS)[number];

export type MailStyle = {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly colours: Readonly<Record<Ink | Ground | (typeof BORDERS)[number], string>>;
  readonly radii: Readonly<Record<(typeof RADII)[number], number>>;
  readonly faces: Brand['mails']['faces'];
};

declare module 'react' {
  interface CSSProperties {
    msoHide?: 'all';
    msoPaddingAlt?: string;
  }
}

export function readMailStyle({ language, mails }: Brand, css: string): MailStyle {
  const read = (token: string, value: string): string => {
    const found = new RegExp(`--${token}:\\s*(${value});`, 'i').exec(css)?.[1];
    if (found === undefined) throw new Error(`Mails need a token --${token} of the form ${value}.`);
    return found;
  };
  const colours = [...INKS, ...GROUNDS, ...BORDERS].map((token) => [
    token,
    read(token, '#[0-9a-f]{6}'),
  ]);
  const radii = RADII.map((token) => [
    token,
    Number.parseFloat(read(token, '[0-9.]+rem')) * PX_PER_REM,
  ]);
  return {
    language,
    direction: RIGHT_TO_LEFT.includes(language.split('-')[0] ?? '') ? 'rtl' : 'ltr',
    colours: Object.fromEntries(colours),
    radii: Object.fromEntries(radii),
    faces: mails.faces,
  };
}

export const MailStyleContext = createContext<MailStyle | null>(null);

export function useMailStyle(): MailStyle {
  const style = use(MailStyleContext);
  if (style === null) throw new Error('useMailStyle needs a MailStyleContext.');
  return style;
}

export function labelFont({ faces }: MailStyle): CSSProperties {
  return {
    font: `400 12px/18px ${faces.mono}`,
    letterSpacing: '0.06em',
    textTransform: 'uppercase',
  };
}

type PaintedTag = 'a' | 'h1' | 'h2' | 'img' | 'ol' | 'p' | 'pre' | 'span' | 'td' | 'ul';

type PaintedProps<Tag extends PaintedTag> = ComponentProps<Tag> & {
  readonly as: Tag;
  readonly ink?: Ink;
  readonly ground?: Ground;
};

export function Painted<Tag extends PaintedTag>(props: PaintedProps<Tag>) {
  const { as, ink, ground, className, style, ...rest } = props as PaintedProps<'span'>;
  const { colours } = useMailStyle();
  const Element: ElementType = as;
  const classes = [className, ink && `ink-${ink}`, ground && `ground-${ground}`].filter(Boolean);
  return (
    <Element
      {...rest}
      className={classes.join(' ') || undefined}
      style={{
        ...(ink && { color: colours[ink] }),
        ...(ground && { backgroundColor: colours[ground] }),
        ...style,
      }}
    />
  );
}

export function pinnedColours(
  { colours }: MailStyle,
  under: { ink: string; ground: string },
): string {
  const inks = INKS.map((name) => `${under.ink}.ink-${name}{color:${colours[name]}!important}`);
  const grounds = GROUNDS.map(
    (name) => `${under.ground}.ground-${name}{background-color:${colours[name]}!important}`,
  );
  return [...inks, ...grounds].join('');
}

/** Reads a mail's HTML like a client that supports inline styles only. */

type Paint = { readonly ink: string; readonly ground: string };
export type TextRun = Paint & { readonly text: string };

const VOID_ELEMENTS = ['br', 'hr', 'img', 'meta', 'wbr'];

/** Every visible text of the body, alternative texts included, with its colour and background. */
export function readTextRuns(html: string): TextRun[] {
  const body = html.slice(html.indexOf('<body')).replaceAll(/<!--.*?-->/gs, '');
  const runs: TextRun[] = [];
  const open: (Paint & { readonly isHidden: boolean })[] = [];
  let current = { ink: '', ground: '', isHidden: false };
  for (const [, closed, name = '', attributes = '', text = ''] of body.matchAll(
    /<(\/?)([a-z0-9]+)([^>]*)>([^<]*)/g,
  )) {
    if (closed) current = open.pop() ?? current;
    else {
      const own = {
        ink: styleOf(attributes, 'color') ?? current.ink,
        ground: styleOf(attributes, 'background-color') ?? current.ground,
        isHidden: current.isHidden || styleOf(attributes, 'display') === 'none',
      };
      const alt = /\salt="([^"]*)"/.exec(attributes)?.[1];
      if (alt) runs.push({ text: alt, ink: own.ink, ground: own.ground });
      if (!VOID_ELEMENTS.includes(name)) {
        open.push(current);
        current = own;
      }
    }
    if (text.trim() && !current.isHidden)
      runs.push({ text: text.trim(), ink: current.ink, ground: current.ground });
  }
  return runs;
}

/** The colour as shown by a client that inverts lightness and keeps the hue. */
export function invertColour(colour: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const shift = 255 - Math.max(...channels) - Math.min(...channels);
  return `#${channels.map((channel) => (channel + shift).toString(16).padStart(2, '0')).join('')}`;
}

export function attributeValues(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);
}

function styleOf(attributes: string, property: string): string | undefined {
  return new RegExp(`style="(?:[^"]*;)?${property}:([^;"]+)`).exec(attributes)?.[1];
}

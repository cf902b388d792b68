import { Blob, Face, Font } from 'harfbuzzjs';

export type FontMetrics = ReturnType<typeof readFontMetrics>;

/** What a fallback font must imitate so that nothing moves when the brand font loads. In em. */
export function readFontMetrics(sfnt: Buffer, sample: string) {
  const font = openFont(sfnt);
  const { upem } = font.face;
  const { ascender, descender, lineGap } = font.hExtents();
  const widths = [...sample].map((character) => font.glyphHAdvance(glyphOf(font, character)));
  return {
    ascent: ascender / upem,
    descent: -descender / upem,
    lineGap: lineGap / upem,
    averageWidth: widths.reduce((sum, width) => sum + width, 0) / upem / widths.length,
  };
}

export const openFont = (sfnt: Buffer) => new Font(new Face(new Blob(sfnt)));

/** The glyph 0 is the box of characters that the font lacks. */
export function glyphOf(font: Font, character: string): number {
  return font.nominalGlyph(character.charCodeAt(0)) ?? 0;
}

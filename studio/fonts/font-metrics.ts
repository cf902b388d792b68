import { findTable } from './font-tables.ts';

export type FontMetrics = ReturnType<typeof readFontMetrics>;

/** What a fallback font must imitate so that nothing moves when the brand font loads. In em. */
export function readFontMetrics(sfnt: Buffer, sample: string) {
  const table = (tag: string) => {
    const { offset, length } = findTable(sfnt, tag);
    return sfnt.subarray(offset, offset + length);
  };
  const em = table('head').readUInt16BE(18);
  const hhea = table('hhea');
  const hmtx = table('hmtx');
  const longMetrics = hhea.readUInt16BE(34);
  const glyphOf = glyphs(sfnt);
  const widths = [...sample].map((character) => {
    const glyph = Math.min(glyphOf(character.charCodeAt(0)), longMetrics - 1);
    return hmtx.readUInt16BE(glyph * 4) / em;
  });
  return {
    ascent: hhea.readInt16BE(4) / em,
    descent: -hhea.readInt16BE(6) / em,
    lineGap: hhea.readInt16BE(8) / em,
    averageWidth: widths.reduce((sum, width) => sum + width, 0) / widths.length,
  };
}

export function glyphs(sfnt: Buffer): (codePoint: number) => number {
  const { offset, length } = findTable(sfnt, 'cmap');
  const cmap = sfnt.subarray(offset, offset + length);
  const count = cmap.readUInt16BE(2);
  const offsets = Array.from({ length: count }, (_, index) => cmap.readUInt32BE(8 + index * 8));
  const start = offsets.find((offset) => cmap.readUInt16BE(offset) === 4);
  if (start === undefined) throw new Error('The font has no cmap of format 4');
  const segments = cmap.readUInt16BE(start + 6) / 2;
  const ends = start + 14;
  const starts = ends + segments * 2 + 2;
  const deltas = starts + segments * 2;
  const ranges = deltas + segments * 2;
  return (codePoint) => {
    for (let segment = 0; segment < segments; segment++) {
      if (codePoint > cmap.readUInt16BE(ends + segment * 2)) continue;
      const first = cmap.readUInt16BE(starts + segment * 2);
      if (codePoint < first) return 0;
      const delta = cmap.readUInt16BE(deltas + segment * 2);
      const rangeAt = ranges + segment * 2;
      const range = cmap.readUInt16BE(rangeAt);
      if (range === 0) return (codePoint + delta) & 0xffff;
      const glyph = cmap.readUInt16BE(rangeAt + range + (codePoint - first) * 2);
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

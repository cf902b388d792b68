/** What a fallback face must imitate so that a late brand face moves nothing. In units of the em. */
export type FontMetrics = {
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  /** Mean advance width over `sample`. */
  readonly averageWidth: number;
};

/** Reads the vertical metrics (hhea) and the widths of `sample` (cmap format 4, hmtx) from an uncompressed font. */
export function readFontMetrics(sfnt: Buffer, sample: string): FontMetrics {
  const table = (tag: string) => sfntTable(sfnt, tag);
  const em = table('head').readUInt16BE(18);
  const hhea = table('hhea');
  const hmtx = table('hmtx');
  const longMetrics = hhea.readUInt16BE(34);
  const glyphOf = readCmap(table('cmap'));
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

function sfntTable(sfnt: Buffer, tag: string): Buffer {
  const count = sfnt.readUInt16BE(4);
  for (let index = 0; index < count; index++) {
    const entry = 12 + index * 16;
    if (sfnt.toString('latin1', entry, entry + 4) !== tag) continue;
    const start = sfnt.readUInt32BE(entry + 8);
    return sfnt.subarray(start, start + sfnt.readUInt32BE(entry + 12));
  }
  throw new Error(`The font has no ${tag} table`);
}

/** Character to glyph, for the basic plane. */
function readCmap(cmap: Buffer): (codePoint: number) => number {
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

type Table = {
  /** Of the table's record in the font's directory. */
  readonly record: number;
  readonly offset: number;
  readonly length: number;
};

/** A table of an uncompressed font. Throws when there is none. */
export function findTable(sfnt: Buffer, tag: string): Table {
  for (let index = 0; index < sfnt.readUInt16BE(4); index++) {
    const record = 12 + index * 16;
    if (sfnt.toString('latin1', record, record + 4) !== tag) continue;
    return {
      record,
      offset: sfnt.readUInt32BE(record + 8),
      length: sfnt.readUInt32BE(record + 12),
    };
  }
  throw new Error(`The font has no ${tag} table`);
}

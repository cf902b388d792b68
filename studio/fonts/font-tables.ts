export function replaceTable(sfnt: Buffer, tag: string, table: Buffer): Buffer {
  const record = findRecord(sfnt, tag);
  const [before, added] = [pad(sfnt), pad(table)];
  const font = Buffer.concat([before, added]);
  [checksum(added), before.length, added.length].forEach((value, field) => {
    font.writeUInt32BE(value, record + 4 + field * 4);
  });
  return font;
}

function pad(table: Buffer): Buffer {
  return Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
}

function checksum(table: Buffer): number {
  let sum = 0;
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0;
  return sum;
}

function findRecord(sfnt: Buffer, tag: string): number {
  for (let index = 0; index < sfnt.readUInt16BE(4); index++) {
    const record = 12 + index * 16;
    if (sfnt.toString('latin1', record, record + 4) === tag) return record;
  }
  throw new Error(`The font has no ${tag} table`);
}

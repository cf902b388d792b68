const FAMILY_ID = 1;
const STYLE_ID = 2;
const POSTSCRIPT_ID = 6;

/** Share images find fonts by the name in the file, which an instance shares with the whole. */
export function renameFont(sfnt: Buffer, family: string): Buffer {
  const names = nameTable([
    [FAMILY_ID, family],
    [STYLE_ID, 'Regular'],
    [POSTSCRIPT_ID, family.replaceAll(' ', '')],
  ]);
  return replaceTable(sfnt, 'name', names);
}

/** A name table of format 0: one record a name, in Windows' Unicode encoding and US English. */
function nameTable(names: readonly (readonly [id: number, text: string])[]): Buffer {
  const header = Buffer.alloc(6 + names.length * 12);
  header.writeUInt16BE(names.length, 2);
  header.writeUInt16BE(header.length, 4);
  let textLength = 0;
  names.forEach(([id, text], index) => {
    [3, 1, 0x409, id, text.length * 2, textLength].forEach((value, field) => {
      header.writeUInt16BE(value, 6 + index * 12 + field * 2);
    });
    textLength += text.length * 2;
  });
  const texts = names.map(([, text]) => Buffer.from(text, 'utf16le').swap16());
  return Buffer.concat([header, ...texts]);
}

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

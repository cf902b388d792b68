import { cpus, release, totalmem } from 'node:os';

export function describeMachine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const hardware = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${gigabytes} GB`;
  return `${hardware}, ${process.platform} ${release()}, Node ${process.version}`;
}

type Rows = readonly (readonly string[])[];

export function replaceRows(report: string, table: string, name: string, rows: Rows): string {
  const lines = report.split('\n');
  const head = lines.findIndex((line) => line.startsWith(`| ${table} |`));
  if (head < 0) throw new Error(`The report has no table of ${table}.`);
  const end = lines.findIndex((line, index) => index > head && !line.startsWith('|'));
  const isOwn = (line: string, index: number) =>
    index > head && index < end && line.startsWith(`| ${name} |`);
  const first = lines.findIndex(isOwn);
  const others = lines.filter((line, index) => !isOwn(line, index));
  const written = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return others.toSpliced(first < 0 ? end : first, 0, ...written).join('\n');
}

const TABLE = /(?:^\|.*\n)+/gm;

export function replaceTables(report: string, section: string): string {
  const [heading = ''] = section.split('\n', 1);
  const start = report.indexOf(`\n${heading}\n`);
  if (start < 0) return `${report.trimEnd()}\n\n${section}\n`;
  const next = report.indexOf('\n## ', start + 1);
  const end = next < 0 ? report.length : next;
  const own = report.slice(start, end);
  const tables = `${section}\n`.match(TABLE) ?? [];
  if (own.match(TABLE)?.length !== tables.length)
    throw new Error(`"${heading}" of the report needs ${tables.length} tables.`);
  return (
    report.slice(0, start) + own.replace(TABLE, () => tables.shift() ?? '') + report.slice(end)
  );
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(head),
    line(head.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map(line),
  ].join('\n');
}

export function whole(number: number): string {
  return Math.round(number).toLocaleString('en');
}

/** Three significant digits. */
export function short(number: number): string {
  if (Math.abs(number) >= 100) return whole(number);
  return number.toFixed(Math.abs(number) >= 10 ? 1 : 2);
}

export function orDash(number: number | null, format: (number: number) => string = short): string {
  return number === null ? '–' : format(number);
}

export function megabytes(bytes: number): string {
  return `${short(bytes / 1e6)} MB`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

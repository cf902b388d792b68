/** Numbers are the same everywhere: 12,380 and 4.5%. */
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const share = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
const STEP = 1000;
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

export function formatCount(count: number): string {
  return whole.format(count);
}

/** `part` of 1: 0.045 is 4.5%. */
export function formatShare(part: number): string {
  return share.format(part);
}

/** "1 friend", "12,380 friends". */
export function formatAmount(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3);
  const unit = Math.min(step, UNITS.length - 1);
  const value = bytes / STEP ** unit;
  return `${unit === 0 ? whole.format(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

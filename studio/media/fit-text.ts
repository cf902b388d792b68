/** About the widest mean advance of capitals in a display face, in em. */
const WIDE_CAPITAL_EM = 0.8;

/** The largest size in px, up to `max`, at which every line fits into `width` px. */
export function fitText(
  lines: readonly string[],
  { width, max }: { width: number; max: number },
): number {
  const longest = Math.max(1, ...lines.map((line) => line.length));
  return Math.min(max, Math.floor(width / (longest * WIDE_CAPITAL_EM)));
}

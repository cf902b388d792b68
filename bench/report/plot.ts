/** Plots as SVG, in the brand's colours on its own dark ground, so that they read on light and dark pages alike. Pure. */

export type Series = {
  readonly name: string;
  /** The product glows; what it is measured against does not. */
  readonly isFloor: boolean;
  readonly points: readonly { readonly x: number; readonly y: number }[];
};

export type Colours = {
  readonly ground: string;
  readonly line: string;
  readonly faint: string;
  readonly text: string;
  readonly bright: string;
};

export type Plot = {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly Series[];
};

const [WIDTH, HEIGHT] = [760, 400];
const AREA = { left: 84, right: 560, top: 64, bottom: 336 };
const MONO = 'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"';
/** By which lines of one kind are told apart without colour. */
const DASHES = ['', '8 4', '2 4', '12 4 2 4'];
const LABEL_HEIGHT = 18;

/** x is drawn by its logarithm, y too: what doubles is as far apart everywhere, and a floor is a shift. */
export function drawPlot({ title, xLabel, yLabel, series }: Plot, colours: Colours): string {
  const points = series.flatMap((one) => one.points);
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
  const ys = ticksFor(points.map(({ y }) => y));
  const x = scale([xs[0] ?? 1, xs.at(-1) ?? 1], [AREA.left + 16, AREA.right - 16]);
  const y = scale([ys[0] ?? 1, ys.at(-1) ?? 1], [AREA.bottom, AREA.top]);
  const yTicks = ys.map(
    (value) =>
      `<path d="M${AREA.left} ${y(value)}H${AREA.right}" stroke="${colours.line}"/>` +
      text(AREA.left - 10, y(value) + 4, compact(value), { fill: colours.faint, anchor: 'end' }),
  );
  const xTicks = xs.map((value) =>
    text(x(value), AREA.bottom + 22, compact(value), { fill: colours.faint, anchor: 'middle' }),
  );
  const ends = spread(series.map((one) => y(one.points.at(-1)?.y ?? 1)));
  const count = { floor: 0, product: 0 };
  const lines = series.map((one, index) => {
    const kind = one.isFloor ? 'floor' : 'product';
    const dash = DASHES[count[kind] % DASHES.length];
    count[kind] += 1;
    const colour = one.isFloor ? colours.faint : colours.bright;
    const path = one.points
      .map((point, at) => `${at === 0 ? 'M' : 'L'}${round(x(point.x))} ${round(y(point.y))}`)
      .join('');
    const dots = one.points.map(
      (point) => `<circle cx="${round(x(point.x))}" cy="${round(y(point.y))}" r="3.5" fill="${colour}"/>`,
    );
    const end = one.points.at(-1);
    const leader =
      end === undefined
        ? ''
        : `<path d="M${round(x(end.x)) + 6} ${round(y(end.y))}L${AREA.right + 16} ${ends[index]}" stroke="${colours.line}"/>`;
    const key = `<path d="M${AREA.right + 18} ${ends[index]}h22" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`;
    const label = text(AREA.right + 46, (ends[index] ?? 0) + 4, one.name, { fill: colours.text, anchor: 'start' });
    return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>${dots.join('')}${leader}${key}${label}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${escapeXml(title)}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="12" fill="${colours.ground}"/>`,
    text(28, 34, title, { fill: colours.text, anchor: 'start', size: 15 }),
    text(AREA.left, 54, yLabel, { fill: colours.faint, anchor: 'start' }),
    ...yTicks,
    ...xTicks,
    text((AREA.left + AREA.right) / 2, AREA.bottom + 46, xLabel, { fill: colours.faint, anchor: 'middle' }),
    ...lines,
    '</svg>\n',
  ].join('\n');
}

/** 1, 2 and 5 times powers of ten around all values; powers alone where these were too many. */
export function ticksFor(values: readonly number[]): number[] {
  const positive = values.filter((value) => value > 0);
  const [low, high] = [Math.min(...positive), Math.max(...positive)];
  if (positive.length === 0) return [1, 10];
  const powers = Array.from({ length: 40 }, (_, index) => 10 ** (index - 15));
  const fine = powers.flatMap((power) => [power, 2 * power, 5 * power]);
  const around = (ticks: readonly number[]) =>
    ticks.filter((tick, index) => (ticks[index + 1] ?? tick) > low && (ticks[index - 1] ?? 0) < high);
  const chosen = around(fine);
  return (chosen.length <= 9 ? chosen : around(powers)).map((tick) => Number(tick.toPrecision(1)));
}

/** Heights for labels that keep their order and do not touch. */
export function spread(heights: readonly number[]): number[] {
  const order = heights.map((_, index) => index).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const placed: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    last = Math.max(heights[index] ?? 0, last + LABEL_HEIGHT);
    placed[index] = round(last);
  }
  const over = Math.max(0, last - AREA.bottom);
  return placed.map((height) => round(height - over));
}

function scale(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): (value: number) => number {
  const span = Math.log(to / from) || 1;
  return (value) => round(start + (Math.log(value / from) / span) * (end - start));
}

function text(
  x: number,
  y: number,
  words: string,
  { fill, anchor, size = 12 }: { fill: string; anchor: string; size?: number },
): string {
  return `<text x="${x}" y="${y}" fill="${fill}" font-size="${size}" ${MONO} text-anchor="${anchor}">${escapeXml(words)}</text>`;
}

function compact(value: number): string {
  if (value >= 1e6) return `${value / 1e6} M`;
  if (value >= 1e4) return `${value / 1e3} k`;
  return value.toLocaleString('en');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** For text and attributes. */
export function escapeXml(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

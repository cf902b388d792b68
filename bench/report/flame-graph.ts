/** A profile of Node's, as a flame graph: what calls stands below what it calls, as wide as the time it took. Pure. */
import { type Colours, escapeXml } from './plot.ts';

export type CpuProfile = {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  /** Ids of nodes, and the microseconds before each of them. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
  /** Microseconds of the clock that all processes of the machine share. */
  readonly startTime: number;
};

/** In the same microseconds. */
export type Span = { readonly from: number; readonly to: number };

export type Frame = {
  readonly name: string;
  readonly ms: number;
  readonly selfMs: number;
  readonly callees: readonly Frame[];
};

/** The calls of a span as a tree, without the time in which nothing ran; callees of one name are one. */
export function readFrames({ nodes, samples, timeDeltas, startTime }: CpuProfile, span: Span): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const selfMs = new Map<number, number>();
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    at += delta;
    if (at > span.from && at <= span.to) selfMs.set(id, (selfMs.get(id) ?? 0) + delta / 1000);
  }

  function frameOf(name: string, ids: readonly number[]): Frame {
    const own = ids.reduce((sum, id) => sum + (selfMs.get(id) ?? 0), 0);
    const called = ids.flatMap((id) => byId.get(id)?.children ?? []).filter((id) => nameOf(id) !== '(idle)');
    const callees = [...Map.groupBy(called, nameOf)].map(([callee, same]) => frameOf(callee, same));
    const ms = callees.reduce((sum, callee) => sum + callee.ms, own);
    return { name, ms, selfMs: own, callees: callees.sort((a, b) => b.ms - a.ms) };
  }
  function nameOf(id: number): string {
    const { functionName = '', url = '' } = byId.get(id)?.callFrame ?? {};
    const file =
      url
        .split(/node_modules\//)
        .at(-1)
        ?.split('/')
        .slice(-2)
        .join('/') ?? '';
    return `${functionName || '(anonymous)'} ${file}`.trim();
  }
  return frameOf('all', nodes[0] === undefined ? [] : [nodes[0].id]);
}

export type HotFunction = { readonly name: string; readonly share: number };

/** Functions by the time spent in themselves, most first, as shares of all. */
export function listHottest(root: Frame, count: number): HotFunction[] {
  const spent = new Map<string, number>();
  (function add(frame: Frame): void {
    spent.set(frame.name, (spent.get(frame.name) ?? 0) + frame.selfMs);
    for (const callee of frame.callees) add(callee);
  })(root);
  const hottest = [...spent].sort((a, b) => b[1] - a[1]).slice(0, count);
  return hottest.map(([name, ms]) => ({ name, share: ms / root.ms }));
}

const [WIDTH, ROW, MARGIN, HEAD] = [1200, 18, 16, 48];
/** Narrower than a pixel and a half nothing can be seen. */
const LEAST_WIDTH = 1.5;
const CHARACTER = 6.7;

export function drawFlameGraph(title: string, root: Frame, colours: Colours): string {
  const perMs = (WIDTH - 2 * MARGIN) / root.ms;
  const depth = depthOf(root, perMs);
  const height = HEAD + depth * ROW + MARGIN;
  const boxes: string[] = [];
  (function draw(frame: Frame, x: number, level: number): void {
    const width = frame.ms * perMs;
    if (width < LEAST_WIDTH) return;
    const y = height - MARGIN - (level + 1) * ROW;
    const room = Math.floor((width - 8) / CHARACTER);
    const words = room < 3 ? '' : frame.name.length > room ? `${frame.name.slice(0, room - 1)}…` : frame.name;
    const heat = Math.min(0.45, 0.12 + (frame.selfMs / root.ms) * 8).toFixed(2);
    boxes.push(
      `<g><title>${escapeXml(frame.name)}: ${((frame.ms / root.ms) * 100).toFixed(1)} %</title>` +
        `<rect x="${x.toFixed(1)}" y="${y}" width="${(width - 0.5).toFixed(1)}" height="${ROW - 1}" fill="${colours.bright}" fill-opacity="${heat}"/>` +
        `<text x="${(x + 4).toFixed(1)}" y="${y + 13}">${escapeXml(words)}</text></g>`,
    );
    let from = x;
    for (const callee of frame.callees) {
      draw(callee, from, level + 1);
      from += callee.ms * perMs;
    }
  })(root, MARGIN, 0);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapeXml(title)}"`,
    `  font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="11" fill="${colours.text}">`,
    `<rect width="${WIDTH}" height="${height}" rx="12" fill="${colours.ground}"/>`,
    `<text x="${MARGIN}" y="30" font-size="15">${escapeXml(title)}</text>`,
    ...boxes,
    '</svg>\n',
  ].join('\n');
}

function depthOf(frame: Frame, perMs: number): number {
  if (frame.ms * perMs < LEAST_WIDTH) return 0;
  return 1 + Math.max(0, ...frame.callees.map((callee) => depthOf(callee, perMs)));
}

/** The syntax tree of a file, for tests of how the source is written. */
import { parseSync } from 'vite';

export type Node = { readonly type: string; readonly start: number } & Record<string, unknown>;

export const parse = (text: string, lang: 'ts' | 'tsx' = 'ts') =>
  parseSync(`a.${lang}`, text).program as unknown as Node;

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** The node and all below it; `isEntered` says into which nodes to go. */
export function walk(node: Node, isEntered: (node: Node) => boolean = () => true): Node[] {
  const inside = Object.values(node).flat().filter(isNode).filter(isEntered);
  return [node, ...inside.flatMap((child) => walk(child, isEntered))];
}

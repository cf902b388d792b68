import type { FirstInLine } from '../../contract/operator/first-in-line.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { read } from './queries.ts';

export const firstInLineQuery = read<FirstInLine>(operatorPaths.firstInLine);

/** What a drop hands over to the shop, and what comes back from it, from the command line. */
import { DROP_FILE_NAMES } from '../../../contract/operator/drop/drop-files.ts';
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import { type Options, UsageError } from '../../command-line/command.ts';
import type { Verbs } from '../../command-line/verbs.ts';
import { saveExport } from '../members/export-line.ts';
import { ORDER_OPTIONS, orderVerbs } from './orders.ts';

type Words = readonly string[];

export const handOverVerbs: Verbs = {
  export: { usage: `<${DROP_FILE_NAMES.join('|')}>`, run: exportFile },
  ...orderVerbs,
};

export const HAND_OVER_OPTIONS = ['drop', 'output', ...ORDER_OPTIONS] as const;

async function exportFile(config: Config, [file = '']: Words, options: Options): Promise<void> {
  if (!DROP_FILE_NAMES.some((name) => name === file))
    throw new UsageError(`There is no file ${file}. There is ${DROP_FILE_NAMES.join(', ')}.`);
  const { drop, output } = options;
  const query = drop === undefined ? '' : `?${new URLSearchParams({ drop })}`;
  const path = fillPath(operatorPaths.exportDrop, file) + query;
  await saveExport(config, { path }, { what: 'The file is', output });
}

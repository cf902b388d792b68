/** Imports of the last day from the command line: those that a broken call left behind, too. */
import type { ListImports } from '../../../contract/operator/imports/list-import.ts';
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import type { Options } from '../../command-line/command.ts';
import { print } from '../../command-line/output.ts';
import { runVerb, type Verbs } from '../../command-line/verbs.ts';
import { callOperator } from '../call-operator.ts';
import { renderTable } from '../table.ts';

export const importVerbs: Verbs = { delete: { usage: '<id>', run: deleteImport } };

/** Prints the list when no words follow. */
export async function runImports(
  config: Config,
  words: readonly string[],
  options: Options,
): Promise<void> {
  if (words.length > 0) return await runVerb('imports', importVerbs, { config, words, options });
  const found = await callOperator<ListImports>(config, { path: operatorPaths.imports });
  const rows = found.imports.map(({ id, created_at, file_name, state, report }) => [
    id,
    created_at,
    file_name,
    state,
    report === null ? '' : `${report.importable} of ${report.rows}`,
  ]);
  print(options.json, found, () =>
    rows.length === 0
      ? 'There are no imports of the last day.'
      : renderTable(['Id', 'Begun', 'File', 'State', 'Importable rows'], rows),
  );
}

async function deleteImport(config: Config, [id = '']: readonly string[], { json }: Options) {
  const path = fillPath(operatorPaths.listImport, id);
  await callOperator<void>(config, { method: 'DELETE', path });
  print(json, { id }, () => 'The file is deleted. Members who were imported stay.');
}

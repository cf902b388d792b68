/** Import of an existing list from the command line: upload, dry run, and the import itself. */
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  ImportMapping,
  ListImport,
  ReportPage,
} from '../../../contract/operator/imports/list-import.ts';
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import { type Options, UsageError } from '../../command-line/command.ts';
import { print, say } from '../../command-line/output.ts';
import { callOperator, OperatorError } from '../call-operator.ts';
import { printable, renderTable } from '../table.ts';
import { makeChange } from './make-change.ts';

/** Below the server's limit for one chunk. */
const CHUNK_BYTES = 192 * 1024;
const POLL_MS = 200;
const FIELDS = ['email', 'referral_code', 'referrer', 'row_id', 'joined_at', 'referral_count'];

/**
 * Checks the file, prints the report by line, and imports it unless `--dry-run`. Columns are mapped
 * by their names, or by `--map`. Throws UsageError and OperatorError.
 */
export async function importList(
  config: Config,
  [path = '']: readonly string[],
  options: Options,
): Promise<void> {
  const isDryRun = options['dry-run'] ?? false;
  if (!isDryRun && !options['may-mail'])
    throw new UsageError(
      'Add --may-mail to state that you may write to these people, or --dry-run to look first.',
    );
  const confirmed = readConfirmed(options.confirmed);
  const uploaded = await upload(config, path);
  try {
    const checked = await check(config, uploaded, readMapping(uploaded, options));
    await printReport(config, checked, options);
    if (isDryRun) return;
    await makeChange(
      config,
      {
        kind: 'import-members',
        input: {
          import_id: checked.id,
          may_mail: true,
          confirmed,
          mail: options.welcome ? 'welcome' : 'none',
        },
      },
      options,
    );
  } finally {
    await callOperator<void>(config, {
      method: 'DELETE',
      path: fillPath(operatorPaths.listImport, uploaded.id),
    });
  }
}

/** Up to its last byte. Throws OperatorError when the server cannot read it. */
export async function upload(config: Config, path: string): Promise<ListImport> {
  const { size } = await stat(path).catch(() => {
    throw new OperatorError(`There is no file ${path}.`);
  });
  if (size === 0) throw new OperatorError(`${path} is empty.`);
  let now = await callOperator<ListImport>(config, {
    method: 'POST',
    path: operatorPaths.imports,
    body: { file_name: basename(path), bytes: size },
  });
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    while (now.received < size) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, now.received);
      if (bytesRead === 0) throw new OperatorError(`${path} became shorter while it was read.`);
      now = await callOperator(config, {
        method: 'POST',
        path: fillPath(operatorPaths.importChunks, now.id),
        body: {
          first_byte: now.received,
          base64: buffer.subarray(0, bytesRead).toString('base64'),
        },
      });
    }
  } finally {
    await file.close();
  }
  if (now.problem !== null) throw new OperatorError(now.problem);
  return now;
}

function readMapping({ file }: ListImport, options: Options): ImportMapping {
  const columns = file?.columns ?? [];
  const found = new Map<string, number>();
  for (const [index, { suggested }] of columns.entries())
    if (suggested !== null) found.set(suggested, index);
  if (options.map !== undefined) {
    found.clear();
    for (const pair of options.map.split(',')) {
      const [field = '', name = ''] = pair.split(/=(.*)/s);
      const column = columns.findIndex((one) => one.name === name);
      if (!FIELDS.includes(field))
        throw new UsageError(`There is no field ${field}. Fields are ${FIELDS.join(', ')}.`);
      if (column < 0)
        throw new UsageError(
          `The file has no column ${name}. It has ${columns.map((one) => one.name).join(', ')}.`,
        );
      found.set(field, column);
    }
  }
  const email = found.get('email');
  if (email === undefined) throw new UsageError('Add --map email=<column>: which has addresses?');
  const { 'import-order': order = 'file', dates } = options;
  if (order !== 'file' && order !== 'joined_at')
    throw new UsageError('--import-order is file or joined_at.');
  if (dates !== undefined && dates !== 'day_first' && dates !== 'month_first')
    throw new UsageError('--dates is day_first or month_first.');
  return {
    columns: { ...Object.fromEntries(found), email },
    order,
    ...(dates !== undefined && { dates }),
  };
}

function readConfirmed(word = 'no'): boolean {
  if (word !== 'yes' && word !== 'no') throw new UsageError('--confirmed is yes or no.');
  return word === 'yes';
}

async function check(
  config: Config,
  { id }: ListImport,
  mapping: ImportMapping,
): Promise<ListImport> {
  const path = fillPath(operatorPaths.importMapping, id);
  const begin = () => callOperator<ListImport>(config, { method: 'PUT', path, body: mapping });
  let now = await begin();
  while (now.state === 'checking') {
    await pause(POLL_MS);
    now = await callOperator(config, { path: fillPath(operatorPaths.listImport, id) });
    if (now.is_stalled) now = await begin();
  }
  if (now.problem !== null) throw new OperatorError(now.problem);
  return now;
}

async function printReport(config: Config, checked: ListImport, options: Options): Promise<void> {
  const lines: ReportPage['lines'] = [];
  let after: number | null = 0;
  while (after !== null) {
    const path = fillPath(operatorPaths.importReport, checked.id);
    const page: ReportPage = await callOperator(config, { path: `${path}?after=${after}` });
    lines.push(...page.lines);
    after = page.next;
  }
  const { report, file } = checked;
  const isWhole = options['dry-run'] ?? false;
  if (options.json && !isWhole) return;
  print(options.json, { report, file, lines }, () => {
    const rows = lines.map(({ line, cell, fault, notes }) => [
      line,
      printable(cell),
      fault === null ? 'imported' : 'left out',
      [fault, ...notes].filter((text) => text !== null).join(' '),
    ]);
    return rows.length === 0
      ? 'Every row can be imported as it is.'
      : renderTable(['Line', 'Address', 'Row', 'Why'], rows);
  });
  say(
    options.json,
    `${report?.importable} of ${report?.rows} rows can be imported, ${report?.left_out} cannot.`,
  );
}

import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ImportMapping,
  type ListImport,
  type ReportPage,
} from '../../contract/operator/imports/list-import.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import type { Call, Commands } from '../command-line/command.ts';
import { type Columns, print, say } from '../command-line/output.ts';
import { UsageError } from '../command-line/values.ts';
import { pathOf, unreadable } from '../command-line/working-folder.ts';
import { describeRows, list, request } from './api-commands.ts';
import { callOperator, OperatorError } from './call-operator.ts';
import { makeChange } from './changes.ts';

/** The server's limit for one chunk is larger. */
const CHUNK_BYTES = 192 * 1024;
const POLL_MS = 200;
const CHECK_OPTIONS = ['dry-run', 'map', 'import-order', 'dates'] as const;
const FIELDS = Object.keys(ImportMapping.properties.columns.properties);

const LINE_COLUMNS: Columns<ReportPage['lines'][number]> = [
  'line',
  ['Address', 'cell'],
  ['Row', ({ fault }) => (fault === null ? 'imported' : 'left out')],
  ['Why', ({ fault, notes }) => [fault ?? [], notes].flat(2)],
];

export const importCommands: Commands = {
  import: {
    usage: '<file> --may-mail --reason "<why>" [--dry-run] [--map <field>=<column>,...]',
    about:
      'Imports an existing list from a CSV file; with --dry-run reports duplicates and faults.',
    options: [...CHECK_OPTIONS, 'may-mail', 'confirmed', 'welcome', 'reason', 'preview', 'json'],
    run: importList,
  },
  imports: {
    ...list<ListImport>(operatorPaths.imports, {
      none: 'There are no imports of the last day.',
      columns: [
        'id',
        ['Begun', 'created_at'],
        ['File', 'file_name'],
        'state',
        ['Importable rows', ({ report }) => report && `${report.importable} of ${report.rows}`],
      ],
    }),
    about: 'Lists the imports of the last day, or deletes the file of one.',
    commands: {
      delete: request(operatorPaths.listImport, {
        method: 'DELETE',
        describe: () => 'The file is deleted. Members who were imported stay.',
      }),
    },
  },
};

type Server = Pick<Call['config'], 'dataDir' | 'operatorToken'>;

export async function upload({
  config,
  words: [path = ''],
}: Pick<Call, 'words'> & { readonly config: Server }): Promise<ListImport> {
  const file = await open(pathOf(path)).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw new UsageError(`${path} cannot be read: it is a folder.`);
    const { size } = stats;
    if (size === 0) throw new OperatorError(`${path} is empty.`);
    let now = await callOperator<ListImport>(config, operatorPaths.imports, {
      body: { file_name: basename(path), bytes: size },
    });
    const buffer = Buffer.alloc(CHUNK_BYTES);
    while (now.received < size) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, now.received);
      if (bytesRead === 0) throw new OperatorError(`${path} became shorter while it was read.`);
      const base64 = buffer.subarray(0, bytesRead).toString('base64');
      now = await callOperator(config, fillPath(operatorPaths.importChunks, now.id), {
        body: { first_byte: now.received, base64 },
      });
    }
    if (now.problem !== null) throw new OperatorError(now.problem);
    return now;
  } finally {
    await file.close();
  }
}

export async function deleteImport(config: Server, id: string): Promise<void> {
  await callOperator(config, fillPath(operatorPaths.listImport, id), { method: 'DELETE' });
}

async function importList(call: Call): Promise<void> {
  const { config, options } = call;
  const isDryRun = options['dry-run'] !== undefined;
  if (!isDryRun && !options['may-mail'])
    throw new UsageError(
      'Add --may-mail to state that you may write to these people, or --dry-run to look first.',
    );
  const uploaded = await upload(call);
  const import_id = uploaded.id;
  try {
    const checked = await checkImport(config, import_id, readMapping(uploaded, call));
    await printReport(call, checked);
    const confirmed = options.confirmed === 'yes';
    const mail = options.welcome ? 'welcome' : 'none';
    const input = { import_id, may_mail: true, confirmed, mail } as const;
    if (!isDryRun) await makeChange(call, 'import-members', input);
  } finally {
    await deleteImport(config, import_id);
  }
}

function readMapping({ file }: ListImport, { options }: Call): ImportMapping {
  const columns = file?.columns ?? [];
  const pairs = options.map?.split(',').map((pair) => {
    const [field = '', name = ''] = pair.split(/=(.*)/s);
    const column = columns.findIndex((one) => one.name === name);
    if (!FIELDS.includes(field))
      throw new UsageError(`There is no field ${field}. Fields are ${FIELDS.join(', ')}.`);
    if (column >= 0) return [field, column] as const;
    const names = columns.map((one) => one.name).join(', ');
    throw new UsageError(`The file has no column ${name}. It has ${names}.`);
  });
  const suggestions = columns.map(({ suggested }, index) => [suggested ?? '', index] as const);
  const { '': _unknown, email, ...others } = Object.fromEntries(pairs ?? suggestions);
  if (email === undefined) throw new UsageError('Add --map email=<column>: which has addresses?');
  const { 'import-order': order = 'file', dates } = options;
  return { columns: { ...others, email }, order, ...(dates && { dates }) } as ImportMapping;
}

async function checkImport(
  config: Server,
  id: string,
  mapping: ImportMapping,
): Promise<ListImport> {
  const path = fillPath(operatorPaths.importMapping, id);
  const begin = () => callOperator<ListImport>(config, path, { method: 'PUT', body: mapping });
  let now = await begin();
  while (now.state === 'checking') {
    await pause(POLL_MS);
    now = await callOperator(config, fillPath(operatorPaths.listImport, id));
    if (now.is_stalled) now = await begin();
  }
  if (now.problem !== null) throw new OperatorError(now.problem);
  return now;
}

async function printReport({ config, options }: Call, { id, report, file }: ListImport) {
  const lines: ReportPage['lines'] = [];
  const path = fillPath(operatorPaths.importReport, id);
  for (let after: number | null = 0; after !== null; ) {
    const query = { after: String(after) };
    const page: ReportPage = await callOperator(config, path, { query });
    lines.push(...page.lines);
    after = page.next;
  }
  const text = describeRows(LINE_COLUMNS, lines, 'Every row can be imported as it is.');
  if (!options.json || options['dry-run']) print(options, { report, file, lines }, text);
  const { importable, rows, left_out } = report ?? {};
  say(options, `${importable} of ${rows} rows can be imported, ${left_out} cannot.`);
}

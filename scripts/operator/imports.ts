import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { IMPORT_FIELDS, IMPORT_NAMES } from '../../contract/member-fields.ts';
import {
  ImportMapping,
  type ListImport,
  type ReportPage,
} from '../../contract/operator/imports/list-import.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import type { Config } from '../../server/config.ts';
import { print, say } from '../command-line/output.ts';
import type { Call, Definition, Field, Values } from '../command-line/program.ts';
import { pathOf, unreadable } from '../command-line/working-folder.ts';
import { callOperator, OperatorError } from './call-operator.ts';
import { describeList, makeChange } from './calls.ts';
import { FILTER, fieldOf, JSON_OUTPUT, PREVIEW, REASON, refuse } from './fields.ts';

/** The server's limit for one chunk is larger. */
const CHUNK_BYTES = 192 * 1024;
const POLL_MS = 200;

const OPTIONS: readonly Field[] = [
  { name: 'dry_run', isFlag: true, about: 'report what an import would do, and change nothing' },
  {
    name: 'map',
    label: 'field=column,...',
    about: 'which column is email, referral_code, referrer, row_id, ...',
  },
  { ...fieldOf('order', ImportMapping), option: 'import-order', isOptional: true },
  fieldOf('dates', ImportMapping),
  { name: 'may_mail', isFlag: true, about: 'state that you may write to these people' },
  ...FILTER.filter(({ name }) => name === 'confirmed'),
  { name: 'welcome', isFlag: true, about: 'mail each imported member their status link' },
];

type OnUpload = Pick<Definition, 'about' | 'options'> & {
  readonly run: (call: Call, uploaded: ListImport) => Promise<void>;
};

/** A command about a file, which the server has for so long. */
export function withUpload(command: OnUpload): Definition {
  return {
    ...command,
    words: [{ name: 'file' }],
    run: async ({ config, values }) => {
      const uploaded = await upload(config, values.file ?? '');
      const { id } = uploaded;
      try {
        const call = { config, values: { ...values, importId: id, import_id: id } };
        await command.run(call, uploaded);
      } finally {
        await callOperator(config, fillPath(operatorPaths.listImport, id), { method: 'DELETE' });
      }
    },
  };
}

async function upload(config: Config, path: string): Promise<ListImport> {
  const bytes = await readFile(pathOf(path)).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (bytes.length === 0) throw new OperatorError(`${path} is empty.`);
  let now = await callOperator<ListImport>(config, operatorPaths.imports, {
    body: { file_name: basename(path), bytes: bytes.length },
  });
  while (now.received < bytes.length) {
    const chunk = bytes.subarray(now.received, now.received + CHUNK_BYTES);
    now = await callOperator(config, fillPath(operatorPaths.importChunks, now.id), {
      body: { first_byte: now.received, base64: chunk.toString('base64') },
    });
  }
  if (now.problem !== null) throw new OperatorError(now.problem);
  return now;
}

export const importList = withUpload({
  about: 'Import an existing list from a CSV file; with --dry-run, report what would happen.',
  options: [...OPTIONS, REASON, PREVIEW, JSON_OUTPUT],
  run: async ({ config, values }, uploaded) => {
    const { dry_run, may_mail, confirmed = false, welcome } = values;
    if (!dry_run && !may_mail)
      refuse('Add --may-mail to state that you may write to these people, or --dry-run to look.');
    const checked = await checkImport(config, uploaded.id, readMapping(uploaded, values));
    await printReport({ config, values }, checked);
    if (dry_run) return;
    const mail = welcome ? 'welcome' : 'none';
    const input = { import_id: uploaded.id, may_mail, confirmed, mail };
    await makeChange({ config, values }, 'import-members', input);
  },
});

function readMapping({ file }: ListImport, { map, order = 'file', dates }: Values) {
  const columns = file?.columns ?? [];
  const pairs = map?.split(',').map((pair) => {
    const [field = '', name = ''] = pair.split(/=(.*)/s);
    const column = columns.findIndex((one) => one.name === name);
    if (!Object.hasOwn(IMPORT_FIELDS, field))
      refuse(`There is no field ${field}. Fields are ${IMPORT_NAMES.join(', ')}.`);
    if (column >= 0) return [field, column] as const;
    const names = columns.map((one) => one.name).join(', ');
    return refuse(`The file has no column ${name}. It has ${names}.`);
  });
  const suggestions = columns.map(({ suggested }, index) => [suggested ?? '', index] as const);
  const { '': _unknown, ...named } = Object.fromEntries(pairs ?? suggestions);
  if (named.email === undefined) refuse('Add --map email=<column>: which has addresses?');
  return { columns: named, order, dates };
}

async function checkImport(config: Config, id: string, body: object): Promise<ListImport> {
  const path = fillPath(operatorPaths.importMapping, id);
  let now = await callOperator<ListImport>(config, path, { method: 'PUT', body });
  while (now.state === 'checking') {
    await pause(POLL_MS);
    now = await callOperator(config, fillPath(operatorPaths.listImport, id));
  }
  return now;
}

async function printReport({ config, values }: Call, { id, report, file }: ListImport) {
  const lines: ReportPage['lines'] = [];
  const path = fillPath(operatorPaths.importReport, id);
  for (let after: number | null = 0; after !== null; ) {
    const page: ReportPage = await callOperator(config, path, { query: { after } });
    lines.push(...page.lines);
    after = page.next;
  }
  const text = describeList('faults', lines, 'line cell fault notes');
  if (!values.json || values.dry_run) print(values, { report, file, lines }, text);
  const { importable, rows, left_out } = report ?? {};
  say(values, `${importable} of ${rows} rows can be imported, ${left_out} cannot.`);
}

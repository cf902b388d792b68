/** Commands about a file, which the server has for so long as they run. */
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { IMPORT_FIELDS, IMPORT_NAMES } from '../../contract/member-fields.ts';
import {
  ImportMapping,
  type ListImport,
  type ReportPage,
} from '../../contract/operator/imports/list-import.ts';
import { CampaignRequest } from '../../contract/operator/mail/campaigns.ts';
import type { Config } from '../../server/config.ts';
import { describeList, print, say } from '../command-line/output.ts';
import { type Call, refuse, type Values } from '../command-line/program.ts';
import { readGivenFile } from '../command-line/working-folder.ts';
import { callOperator, OperatorError } from './call-operator.ts';
import type { Row } from './calls.ts';
import { FILTER, fieldOf, fieldsOf, findValues } from './fields.ts';

export const DRAFT_FIELDS = fieldsOf(CampaignRequest).filter(({ name }) => name !== 'body');

/** A campaign of a file, which stays only if it is sent. */
export const DRAFT: Row = {
  gives: ['campaign', 'revision'],
  takes: DRAFT_FIELDS,
  around: async ({ config, values }, run) => {
    const given = await findValues(DRAFT_FIELDS, values, config);
    const text = readGivenFile(values.path ?? '').toString();
    const body = { filter: {}, ...given, body: text } as CampaignRequest;
    const draft = await callOperator(config, 'POST campaigns', { body });
    const { campaign: number, revision, problems } = draft;
    const at = [number] as const;
    try {
      if (problems.length > 0) throw new OperatorError(problems.join('\n'));
      await run({ config, values: { ...values, campaign: number, revision } });
    } finally {
      const { state } = await callOperator(config, 'GET campaign', { at });
      if (state === 'draft') await callOperator(config, 'DELETE campaign', { at });
    }
  },
};

/** The orders of a shop. */
export const UPLOAD: Row = {
  gives: ['importId', 'import_id'],
  around: async (call, run) => await withUpload(call, run),
};

/** The members of an existing list. */
export const IMPORT: Row = {
  does: 'import-members',
  about: 'Import an existing list from a CSV file; with --dry-run, report what would happen.',
  gives: ['import_id', 'mail', 'may_mail', 'confirmed'],
  takes: [
    { name: 'dry_run', isFlag: true, about: 'report what an import would do, and change nothing' },
    {
      name: 'map',
      label: 'field=column,...',
      about: 'which column is email, referral_code, referrer, row_id, ...',
      isOptional: true,
    },
    { ...fieldOf('order', ImportMapping), option: 'import-order', isOptional: true },
    fieldOf('dates', ImportMapping),
    { name: 'may_mail', isFlag: true, about: 'state that you may write to these people' },
    ...FILTER.filter(({ name }) => name === 'confirmed'),
    { name: 'welcome', isFlag: true, about: 'mail each imported member their status link' },
  ],
  around: async (call, run) => {
    const { dry_run, may_mail, confirmed = false, welcome } = call.values;
    if (!dry_run && !may_mail)
      refuse('Add --may-mail to state that you may write to these people, or --dry-run to look.');
    const mail = welcome ? 'welcome' : 'none';
    await withUpload(call, async ({ config, values }, uploaded) => {
      await printReport({ config, values }, await checkImport(config, uploaded, values));
      if (!dry_run) await run({ config, values: { ...values, confirmed, mail } });
    });
  },
};

/** It sends chunks, of which the server takes larger ones. */
const CHUNK_BYTES = 192 * 1024;
const POLL_MS = 200;

export async function withUpload(
  { config, values }: Call,
  run: (call: Call, uploaded: ListImport) => Promise<void>,
): Promise<void> {
  const { path = '' } = values;
  const bytes = readGivenFile(path);
  if (bytes.length === 0) throw new OperatorError(`${path} is empty.`);
  let now = await callOperator(config, 'POST imports', {
    body: { file_name: basename(path), bytes: bytes.length },
  });
  const { id } = now;
  const at = [id] as const;
  while (now.received < bytes.length) {
    const chunk = bytes.subarray(now.received, now.received + CHUNK_BYTES);
    const body = { first_byte: now.received, base64: chunk.toString('base64') };
    now = await callOperator(config, 'POST importChunks', { at, body });
  }
  if (now.problem !== null) throw new OperatorError(now.problem);
  try {
    await run({ config, values: { ...values, importId: id, import_id: id } }, now);
  } finally {
    await callOperator(config, 'DELETE listImport', { at });
  }
}

function readColumns({ file }: ListImport, map?: string) {
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
  return named;
}

async function checkImport(
  config: Config,
  uploaded: ListImport,
  { map, order = 'file', dates }: Values,
): Promise<ListImport> {
  const at = [uploaded.id] as const;
  const body = { columns: readColumns(uploaded, map), order, dates } as ImportMapping;
  let now = await callOperator(config, 'PUT importMapping', { at, body });
  while (now.state === 'checking') {
    await pause(POLL_MS);
    now = await callOperator(config, 'GET listImport', { at });
  }
  return now;
}

async function printReport({ config, values }: Call, { id, report, file }: ListImport) {
  const lines: ReportPage['lines'] = [];
  for (let after: number | null = 0; after !== null; ) {
    const request = { at: [id], query: { after } } as const;
    const page: ReportPage = await callOperator(config, 'GET importReport', request);
    lines.push(...page.lines);
    after = page.next;
  }
  const text = describeList('faults', lines, 'line cell fault notes');
  if (!values.json || values.dry_run) print(values, { report, file, lines }, text);
  const { importable, rows, left_out } = report ?? {};
  say(values, `${importable} of ${rows} rows can be imported, ${left_out} cannot.`);
}

import type { MailKind } from '../../../brand/mail-shape.ts';
import type { ChangeInput } from '../../../contract/operator/changes.ts';
import type { ListImport } from '../../../contract/operator/imports/list-import.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Effects, Operation } from '../../changes/operation.ts';
import type { Work } from '../../durable-work/work.ts';
import type { Platform } from '../../module.ts';
import { conflict } from '../../problem.ts';
import {
  explainState,
  type ImportRecord,
  lockImport,
  readImport,
  updateImport,
} from './import-store.ts';
import { beginRun, type ImportOptions, type ImportRun } from './run-store.ts';
import { describeRun, MOVED_AT_ONCE } from './walk-import.ts';

type Undo = { readonly importId: string; readonly options: ImportOptions };
type Checked = ImportRecord & { readonly report: NonNullable<ListImport['report']> };

/** The members join in pieces after the change. The next server goes on when this one stops. */
export function openImportMembers(
  platform: Platform,
  imports: Work<ImportRun>,
): Operation<'import-members'> {
  const { database, config } = platform;
  const finish = (importId: string) => async () => {
    const end = await imports.finish(importId);
    return end ? describeRun(end) : 'It is not done yet, and goes on by itself.';
  };
  return {
    isForOwners: true,
    lock: null,
    async plan(input) {
      const checked = assertReady(await readImport(database.kysely, input.import_id));
      return describe(platform, checked, input);
    },
    async apply(transaction, input) {
      const checked = assertReady(await lockImport(transaction, input.import_id));
      const { id, report, file_name: file } = checked;
      const { confirmed, mail, may_mail } = input;
      const options = {
        file,
        rows: report.rows,
        isConfirmed: confirmed,
        givesCredit: config.referralCredit !== 'confirm' || confirmed,
        mail: mailKind(platform, input),
      };
      await imports.begin(transaction, id, beginRun('join', options));
      await updateImport(transaction, id, { state: 'importing' });
      const { rows, importable, left_out, kinds } = report;
      const sha256 = checked.file?.sha256;
      return {
        summary:
          `The import of ${countOf(importable, 'member')} from ${file} began, ` +
          `with ${countOf(left_out, 'row')} left out.`,
        subject: null,
        details: { file, sha256, rows, importable, left_out, kinds, may_mail, confirmed, mail },
        undo: { importId: id, options } satisfies Undo,
        afterCommit: finish(id),
      };
    },
    async undo(transaction, { importId, options }: Undo) {
      await imports.begin(transaction, importId, beginRun('leave', options));
      await updateImport(transaction, importId, { state: 'imported' });
      return {
        summary: `The members from ${options.file} began to leave the line again.`,
        afterCommit: finish(importId),
      };
    },
  };
}

function assertReady(known: ImportRecord): Checked {
  const { state, report } = known;
  if (state !== 'checked' || report === null) throw conflict(explainState(state));
  if (report.importable === 0)
    throw conflict('No row of this list can be imported: see its report.');
  return { ...known, report };
}

function describe(
  platform: Platform,
  { report, mapping }: Checked,
  input: ChangeInput<'import-members'>,
): Effects {
  const { importable, left_out, noted, invited, credited_in_line, kinds } = report;
  const kind = mailKind(platform, input);
  const order = mapping?.order === 'joined_at' ? 'their times of joining' : 'the file';
  const sentences = [
    `${countOf(importable, 'member joins', 'members join')} at the end of the line, ` +
      `in the order of ${order}.`,
    importable > MOVED_AT_ONCE &&
      `They join ${MOVED_AT_ONCE} at a time: visitors who join meanwhile stand between them.`,
    invited > 0 &&
      `${countOf(invited, 'of them', 'of them')} came by a referrer, and ` +
        `${invited === 1 ? 'is' : 'are'} ahead of members without points.`,
    credited_in_line > 0 &&
      `${countOf(credited_in_line, 'member already in line', 'members already in line')} ` +
        `${credited_in_line === 1 ? 'gets' : 'get'} credit for friends in the file, ` +
        'and a mail about them.',
    left_out > 0 && `${countOf(left_out, 'row of the file is', 'rows of the file are')} left out.`,
    noted > 0 && `The report has notes about ${countOf(noted, 'row')}.`,
    kinds.no_mail !== undefined &&
      `Mail to ${countOf(kinds.no_mail, 'of them', 'of them')} was stopped or came back: ` +
        'they join, and get none.',
    input.confirmed
      ? 'Their addresses count as confirmed, as you state.'
      : 'Their addresses count as not confirmed.',
    kind === null
      ? 'None of them gets a mail.'
      : `Each of them gets the mail "${kind}" with their status link.`,
  ];
  return {
    sentences: sentences.filter((sentence) => sentence !== false),
    counts: { members: importable, left_out, noted, invited, credited_in_line },
  };
}

function mailKind(
  { brand, config }: Platform,
  { mail, confirmed }: ChangeInput<'import-members'>,
): MailKind | null {
  if (mail === 'none') return null;
  const kind = config.referralCredit === 'confirm' && !confirmed ? 'confirm' : 'welcome';
  if (!brand.mails[kind].isOn) throw conflict(`The mail "${kind}" is off in brand.ts.`);
  return kind;
}

/** The process that writes the export of a copy; see export-line.ts. */
import { writeFromCopy } from '../../backup/embedded-copy.ts';
import { type ExportTask, writeExport } from './export-line.ts';

await writeFromCopy<ExportTask>(writeExport);

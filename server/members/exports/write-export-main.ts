import { writeFromCopy } from '../../backup/embedded-copy.ts';
import { type ExportTask, writeExport } from './export-line.ts';

await writeFromCopy<ExportTask>(writeExport);

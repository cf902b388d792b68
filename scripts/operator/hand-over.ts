import {
  ORDER_KINDS,
  type OrderFinding,
  type OrderReport,
} from '../../contract/operator/drop/orders.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import type { Call, Commands } from '../command-line/command.ts';
import { type Columns, print, renderTable, say } from '../command-line/output.ts';
import { exporting } from './api-commands.ts';
import { callOperator } from './call-operator.ts';
import { change } from './changes.ts';
import { saveExport } from './export.ts';
import { deleteImport, upload } from './imports.ts';

const FINDING_COLUMNS: Columns<OrderFinding> = [
  'line',
  'kind',
  'order',
  'code',
  ['Address', 'email'],
  'why',
];

const reconcile = change('reconcile', {
  usage: '<file>',
  options: ['drop', 'free-cancelled'],
  read: ({ words: [import_id] }) => ({ import_id }),
});

export const handOverCommands: Commands = {
  export: exporting(operatorPaths.exportDrop, ['drop'], () => 'The file is'),
  orders: {
    usage: '<file>',
    options: ['drop', 'item', 'output', 'json'],
    run: (call) => withOrders(call, compareOrders),
  },
  reconcile: { ...reconcile, run: (call) => withOrders(call, reconcile.run) },
};

async function withOrders(call: Call, work: (call: Call) => Promise<void>): Promise<void> {
  const { id } = await upload(call);
  try {
    await work({ ...call, words: [id] });
  } finally {
    await deleteImport(call.config, id);
  }
}

async function compareOrders({ config, words: [id = ''], options }: Call): Promise<void> {
  const { drop, item, output } = options;
  const query = { drop, item };
  const report = await callOperator<OrderReport>(config, fillPath(operatorPaths.importOrders, id), {
    query,
  });
  print(options, report, describeReport(report));
  if (report.next !== null)
    say(options, 'There are more that need a look: --output <file> writes all of them.');
  if (output === undefined) return;
  const request = { path: fillPath(operatorPaths.exportOrders, id), query };
  await saveExport(config, request, 'What was found is', options);
}

function describeReport({ counts, findings }: OrderReport): string {
  const kinds = Object.entries(ORDER_KINDS).flatMap(([kind, about]) =>
    counts[kind] === undefined ? [] : [{ kind, found: counts[kind], about }],
  );
  const summary = renderTable(['kind', 'found', ['What', 'about']], kinds);
  if (findings.length === 0) return `${summary}\n\nNothing needs a look.`;
  return `${summary}\n\n${renderTable(FINDING_COLUMNS, findings)}`;
}

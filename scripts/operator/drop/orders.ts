/** Orders of the shop from the command line: compared with the passes, and applied. */
import { ORDER_KINDS, type OrderReport } from '../../../contract/operator/drop/orders.ts';
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import type { Options } from '../../command-line/command.ts';
import { print, say } from '../../command-line/output.ts';
import type { Verbs } from '../../command-line/verbs.ts';
import { callOperator } from '../call-operator.ts';
import { upload } from '../changes/import-list.ts';
import { assertCanGiveReason, makeChange } from '../changes/make-change.ts';
import { saveExport } from '../members/export-line.ts';
import { renderTable } from '../table.ts';

type Words = readonly string[];

export const orderVerbs: Verbs = {
  orders: { usage: '<file>', run: (...call) => withOrders(call, lookAtOrders) },
  reconcile: { usage: '<file>', run: (...call) => withOrders(call, reconcile) },
};

export const ORDER_OPTIONS = ['item', 'free-cancelled'] as const;

type Call = readonly [config: Config, words: Words, options: Options];

/** The file is on the server only as long as this takes. */
async function withOrders(
  [config, [path = ''], options]: Call,
  work: (config: Config, importId: string, options: Options) => Promise<void>,
): Promise<void> {
  const { id } = await upload(config, path);
  try {
    await work(config, id, options);
  } finally {
    await callOperator<void>(config, {
      method: 'DELETE',
      path: fillPath(operatorPaths.listImport, id),
    });
  }
}

async function lookAtOrders(config: Config, importId: string, options: Options): Promise<void> {
  const { drop, item, output, json } = options;
  const query = new URLSearchParams({
    ...(drop !== undefined && { drop }),
    ...(item !== undefined && { item }),
  });
  const report = await callOperator<OrderReport>(config, {
    path: `${fillPath(operatorPaths.importOrders, importId)}?${query}`,
  });
  print(json, report, () => describe(report));
  if (report.next !== null)
    say(json, `There are more that need a look: --output <file> writes all of them.`);
  if (output === undefined) return;
  const path = `${fillPath(operatorPaths.exportOrders, importId)}?${query}`;
  await saveExport(config, { path }, { what: 'What was found is', output });
}

async function reconcile(config: Config, importId: string, options: Options): Promise<void> {
  if (!options.preview) assertCanGiveReason(options.reason);
  const input = {
    import_id: importId,
    ...(options.drop !== undefined && { drop: Number(options.drop) }),
    ...(options['free-cancelled'] && { free_cancelled: true }),
  };
  await makeChange(config, { kind: 'reconcile', input }, options);
}

function describe({ counts, findings }: OrderReport): string {
  const kinds = Object.entries(ORDER_KINDS).flatMap(([kind, about]) =>
    counts[kind] === undefined ? [] : [[kind, counts[kind], about] as const],
  );
  const summary = renderTable(['Kind', 'Found', 'What'], kinds);
  if (findings.length === 0) return `${summary}\n\nNothing needs a look.`;
  const rows = findings.map(({ line, kind, order, code, email, why }) => [
    line ?? '',
    kind,
    order ?? '',
    code ?? '',
    email ?? '',
    why,
  ]);
  return `${summary}\n\n${renderTable(['Line', 'Kind', 'Order', 'Code', 'Address', 'Why'], rows)}`;
}

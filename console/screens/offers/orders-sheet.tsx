import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderKind, OrderReport } from '../../../contract/operator/drop/orders.ts';
import { exportOrders, ordersQuery } from '../../api/drop/drop.ts';
import { messageOf } from '../../api/request-error.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { FileSection } from '../../parts/file-section.tsx';
import { QueryFace } from '../../parts/query-face.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { Banner } from '../../ui/data/banner.tsx';
import { KeyValues } from '../../ui/data/key-values.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { SideSheet } from '../../ui/layers/side-sheet.tsx';
import { formatAmount, formatCount } from '../../ui/text/numbers.ts';

const KINDS: Readonly<Record<OrderKind, string>> = {
  to_redeem: 'Passes to redeem',
  matched: 'Matched',
  code_used_twice: 'Code used twice',
  order_cancelled: 'Order cancelled, pass alive',
  pass_cancelled: 'Pass cancelled, order alive',
  cancelled: 'Both cancelled',
  unknown_code: 'Unknown code',
  without_pass: 'Mask without a code',
  other_goods: 'Other goods',
  cancelled_other: 'Cancelled, without a pass',
  repeated: 'Twice in the file',
  no_order: 'Redeemed, order missing',
  unused: 'Pass not used',
  unreadable: 'Row cannot be read',
};

/** A file of the shop's orders beside the passes, and what follows from it. */
export function OrdersSheet({ onClose }: { onClose: () => void }) {
  const [importId, setImportId] = useState<string | null>(null);
  return (
    <SideSheet title="Orders of the shop" onClose={onClose}>
      {importId === null ? (
        <FileSection onUploaded={setImportId} />
      ) : (
        <Report importId={importId} onClose={onClose} />
      )}
    </SideSheet>
  );
}

function Report({ importId, onClose }: { importId: string; onClose: () => void }) {
  const report = useQuery(ordersQuery(importId));
  const [isApplying, setApplying] = useState(false);
  const [freesCancelled, setFreesCancelled] = useState(false);
  const download = useMutation({
    mutationFn: async () => saveFile(await exportOrders(importId), 'orders.csv'),
  });
  return (
    <QueryFace query={report} lines={6}>
      {(data) => (
        <div className="sheet-parts">
          <Found report={data} />
          {download.isError && <Banner tone="ember">{messageOf(download.error)}</Banner>}
          <div className="sheet-actions">
            <Button isBusy={download.isPending} onClick={() => download.mutate()}>
              Export what was found
            </Button>
            {data.to_redeem + data.to_free > 0 && (
              <Button variant="primary" onClick={() => setApplying(true)}>
                Apply
              </Button>
            )}
          </div>
          {isApplying && (
            <ChangeDialog
              title="Apply the orders"
              confirmLabel="Apply"
              undoNote="This cannot be undone."
              want={{
                kind: 'reconcile',
                input: { import_id: importId, free_cancelled: freesCancelled },
              }}
              onMade={onClose}
              onClose={() => setApplying(false)}
            >
              <Checkbox
                label="Also cancel the passes of cancelled orders: their masks go on"
                checked={freesCancelled}
                onChange={setFreesCancelled}
              />
            </ChangeDialog>
          )}
        </div>
      )}
    </QueryFace>
  );
}

function Found({ report: { counts, findings, next } }: { report: OrderReport }) {
  const kinds = Object.keys(KINDS) as OrderKind[];
  const more = next === null ? '' : ', and more in the export';
  return (
    <>
      <KeyValues
        entries={kinds.flatMap((kind) => {
          const found = counts[kind] ?? 0;
          return found === 0 ? [] : [[KINDS[kind], formatCount(found)] as const];
        })}
      />
      {findings.length > 0 && (
        <Section title="Needs a look" note={formatAmount(findings.length, 'finding') + more}>
          <ul className="mail-list">
            {findings.map(({ kind, line, order, code, email, why }) => (
              <li key={`${kind} ${line} ${code} ${order}`}>
                <span>{order ?? code ?? email}</span>
                <p className="quiet">
                  {KINDS[kind]}. {why}
                </p>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

import { useState } from 'react';
import type { DropFile } from '../../../contract/operator/drop/drop-files.ts';
import type { OrderKind, OrderReport } from '../../../contract/operator/drop/orders.ts';
import { pathOf, useRead } from '../../api/queries.ts';
import { ActionButton } from '../../parts/changes.tsx';
import { ExportFiles } from '../../parts/downloads.tsx';
import { FileSection } from '../../parts/file-section.tsx';
import { changeForm } from '../../parts/forms.tsx';
import { QueryContent } from '../../parts/screen.tsx';
import { ItemList, KeyValues, Section } from '../../ui/facts.tsx';
import { formatAmount, formatCount } from '../../ui/formats.ts';
import { SideSheet } from '../../ui/side-sheet.tsx';

const FILES: Readonly<Record<DropFile, string>> = {
  frozen: 'Frozen list',
  chosen: 'Chosen entrants',
  offers: 'Offers and passes',
  money: 'Money of each pass',
  'packing-list': 'Packing list',
  carrier: 'Parcels, for Click & Drop',
  'shopify-customers': 'Customers, for Shopify',
  'shopify-codes': 'Discount codes, for Matrixify',
};
const TIMEOUT_MS = 60_000;
const MAX_MADE = 1000;
const UNDO_NOTE = 'You can undo this for 24 hours, until a member has one of them.';

export const DropExport = () => (
  <ExportFiles
    files={(Object.keys(FILES) as DropFile[]).map((file) => ({
      label: FILES[file],
      name: `drop-${file}.csv`,
      path: pathOf('GET exportDrop', { at: [file] }),
    }))}
  />
);

type Sizes = readonly string[];

export function ShopSection({ sizes }: { sizes: Sizes }) {
  const figures = useRead('GET offers');
  return (
    <Section
      title="The shop"
      actions={
        <>
          <ActionButton
            label="Compare orders"
            dialog={(close) => <OrdersSheet onClose={close} />}
          />
          <ActionButton dialog={swapPasses(sizes)} />
          <ActionButton label="Make codes" dialog={makeCodes(sizes)} />
          <ActionButton label="Import codes" dialog={importCodes(sizes)} />
        </>
      }
    >
      <QueryContent query={figures} lines={2}>
        {({ codes_imported: all, codes_free: free }) => (
          <KeyValues
            entries={
              all === 0
                ? { Source: 'Made when an offer is accepted' }
                : {
                    Source: `A list of ${formatAmount(all, 'code')}`,
                    Left: formatAmount(free, 'code'),
                  }
            }
          />
        )}
      </QueryContent>
    </Section>
  );
}

const sizeField = (sizes: Sizes, usual = 'Any size') => ({
  label: 'Size',
  kind: 'select' as const,
  options: [{ value: '', label: usual }, ...sizes.map((size) => ({ value: size, label: size }))],
});

const MAX_LINES = 200;

const readLines = (text: string) => text.split('\n').flatMap((line) => line.trim() || []);

const LINES_FIELD = {
  kind: 'area',
  isRequired: true,
  missing: 'Paste a list, one per line.',
  read: readLines,
  check: (text: string) =>
    readLines(text).length > MAX_LINES &&
    `At most ${MAX_LINES} at once: the command line takes longer lists.`,
} as const;

const importCodes = (sizes: Sizes) =>
  changeForm({
    title: 'Import codes of the shop',
    confirmLabel: 'Import',
    undoNote: UNDO_NOTE,
    fields: {
      codes: {
        ...LINES_FIELD,
        label: 'Codes',
        hint: 'One per line. Each is given to one member.',
        isFirst: true,
      },
      size: sizeField(sizes),
    },
    want: { kind: 'import-codes', input: {} },
  });

const swapPasses = (sizes: Sizes) =>
  changeForm({
    title: 'Swap passes',
    confirmLabel: 'Swap',
    fields: {
      codes: {
        ...LINES_FIELD,
        label: 'Codes of passes',
        hint: 'One per line. Each pass gets another code, or none does.',
      },
      size: sizeField(sizes, 'The same size'),
    },
    want: { kind: 'swap-passes', input: {} },
  });

export const swapPass = (sizes: Sizes, code: string) =>
  changeForm({
    title: 'Swap the pass',
    confirmLabel: 'Swap',
    fields: { size: sizeField(sizes, 'The same size') },
    want: { kind: 'swap-passes', input: { codes: [code] } },
  });

const makeCodes = (sizes: Sizes) =>
  changeForm({
    title: 'Make codes beforehand',
    confirmLabel: 'Make',
    undoNote: UNDO_NOTE,
    fields: {
      count: {
        label: 'How many',
        kind: 'number',
        min: 1,
        max: MAX_MADE,
        isRequired: true,
        isFirst: true,
      },
      size: sizeField(sizes),
    },
    want: { kind: 'make-codes', input: {} },
  });

const KINDS: Readonly<Record<OrderKind, string>> = {
  to_redeem: 'Passes to mark as paid',
  not_paid: 'Not paid yet',
  matched: 'Matched',
  code_used_twice: 'Code used twice',
  order_used_twice: 'Order with two passes',
  order_cancelled: 'Order cancelled, pass alive',
  pass_cancelled: 'Pass cancelled, order alive',
  cancelled: 'Both cancelled',
  unknown_code: 'Unknown code',
  without_pass: 'Mask without a code',
  other_goods: 'Other goods',
  cancelled_other: 'Cancelled, without a pass',
  repeated: 'Twice in the file',
  no_order: 'Used, order missing',
  unused: 'Pass not used',
  unreadable: 'Row cannot be read',
};

function OrdersSheet({ onClose }: { onClose: () => void }) {
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
  const report = useRead('GET importOrders', { at: [importId], timeoutMs: TIMEOUT_MS });
  return (
    <QueryContent query={report} lines={6}>
      {(data) => (
        <div className="sheet-parts">
          <Found report={data} />
          <div className="actions">
            <ExportFiles
              label="Export what was found"
              files={[{ name: 'orders.csv', path: pathOf('GET exportOrders', { at: [importId] }) }]}
            />
            <ActionButton
              label="Apply"
              variant="primary"
              isOffered={data.to_redeem + data.to_free > 0}
              dialog={changeForm({
                title: 'Apply the orders',
                confirmLabel: 'Apply',
                fields: {
                  free_cancelled: {
                    label: 'Also cancel the passes of cancelled orders: their masks go on',
                    kind: 'checkbox',
                  },
                },
                want: { kind: 'reconcile', input: { import_id: importId } },
                onMade: onClose,
              })}
            />
          </div>
        </div>
      )}
    </QueryContent>
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
          <ItemList
            items={findings.map(({ kind, line, order, code, email, why }) => ({
              key: `${kind} ${line} ${code} ${order}`,
              name: order ?? code ?? email,
              note: `${KINDS[kind]}. ${why}`,
            }))}
          />
        </Section>
      )}
    </>
  );
}

const MAILED = 'A mail cannot be called back: this cannot be undone.';

export function ParcelSection() {
  return (
    <Section
      title="Parcels"
      actions={
        <>
          <ActionButton
            dialog={changeForm({
              title: 'Ask for addresses',
              confirmLabel: 'Ask',
              undoNote: MAILED,
              want: { kind: 'ask-addresses', input: {} },
            })}
          />
          <ActionButton label="Mark as sent" dialog={markSent()} />
        </>
      }
    >
      <p className="quiet">Paid masks go by mail. Two of the exports list those to be sent.</p>
    </Section>
  );
}

export const markSent = (code?: string) =>
  changeForm({
    title: code === undefined ? 'Mark masks as sent' : 'Mark the mask as sent',
    confirmLabel: 'Mark as sent',
    undoNote: MAILED,
    fields: {
      carrier: { label: 'Carrier', isRequired: true, maxLength: 100, isFirst: true },
      parcels: {
        ...LINES_FIELD,
        label: 'Code of the pass, tracking number',
        value: code === undefined ? '' : `${code}, `,
        hint: 'One mask per line, as in a CSV. Each member is mailed theirs.',
      },
    },
    want: { kind: 'mark-masks-sent', input: {} },
  });

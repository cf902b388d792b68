/** What goes to the shop as files, and the codes that come from it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import type { DropFile } from '../../../contract/operator/drop/drop-files.ts';
import type { OfferFigures } from '../../../contract/operator/drop/offers.ts';
import { exportDropFile, offerFiguresQuery } from '../../api/drop/drop.ts';
import { messageOf } from '../../api/request-error.ts';
import { QueryFace } from '../../parts/query-face.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/controls/button.tsx';
import { KeyValues } from '../../ui/data/key-values.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { DropdownMenu } from '../../ui/layers/dropdown-menu.tsx';
import { formatAmount } from '../../ui/text/numbers.ts';
import { toasts } from '../../ui/toasts/toasts.ts';
import { ImportCodesDialog, MakeCodesDialog } from './code-dialogs.tsx';
import { OrdersSheet } from './orders-sheet.tsx';

const FILES: Readonly<Record<DropFile, string>> = {
  frozen: 'Frozen list',
  chosen: 'Chosen entrants',
  offers: 'Offers and passes',
  'shopify-customers': 'Customers, for Shopify',
  'shopify-codes': 'Discount codes, for Matrixify',
};

/** Files of the drop. Not for viewers. */
export function DropExport() {
  const mayWrite = useMayWrite();
  const download = useMutation({
    mutationFn: async (file: DropFile) => saveFile(await exportDropFile(file), `drop-${file}.csv`),
    onError: (error) =>
      toasts.show({
        title: 'Export failed',
        description: messageOf(error),
        variant: 'destructive',
        urgency: 'foreground',
      }),
  });
  if (!mayWrite) return null;
  return (
    <DropdownMenu
      trigger={
        <Button icon={<Download aria-hidden="true" size={16} />} isBusy={download.isPending}>
          Export
        </Button>
      }
      groups={[
        (Object.keys(FILES) as DropFile[]).map((file) => ({
          label: FILES[file],
          onSelect: () => download.mutate(file),
        })),
      ]}
    />
  );
}

/** Codes of passes, where they come from, and the orders that use them up. */
export function ShopSection({ sizes }: { sizes: readonly string[] }) {
  const figures = useQuery(offerFiguresQuery);
  const mayWrite = useMayWrite();
  const [action, setAction] = useState<'import' | 'make' | 'orders' | null>(null);
  const close = () => setAction(null);
  return (
    <Section
      title="The shop"
      actions={
        mayWrite && (
          <>
            <Button onClick={() => setAction('orders')}>Compare orders</Button>
            <Button onClick={() => setAction('make')}>Make codes</Button>
            <Button onClick={() => setAction('import')}>Import codes</Button>
          </>
        )
      }
    >
      <QueryFace query={figures} lines={2}>
        {(data) => <KeyValues entries={describeCodes(data)} />}
      </QueryFace>
      {action === 'import' && <ImportCodesDialog sizes={sizes} onClose={close} />}
      {action === 'orders' && <OrdersSheet onClose={close} />}
      {action === 'make' && <MakeCodesDialog sizes={sizes} onClose={close} />}
    </Section>
  );
}

function describeCodes({ codes_imported: all, codes_free: free }: OfferFigures) {
  if (all === 0) return [['Source', 'Made when an offer is accepted']] as const;
  return [
    ['Source', `A list of ${formatAmount(all, 'code')}`],
    ['Left', formatAmount(free, 'code')],
  ] as const;
}

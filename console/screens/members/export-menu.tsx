import { useMutation } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import type { ExportFormat } from '../../../contract/operator/members.ts';
import { exportMembers } from '../../api/members.ts';
import { messageOf } from '../../api/request-error.ts';
import { saveFile } from '../../parts/save-file.ts';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/controls/button.tsx';
import { DropdownMenu } from '../../ui/layers/dropdown-menu.tsx';
import { toasts } from '../../ui/toasts/toasts.ts';

const FORMATS: readonly { readonly format: ExportFormat; readonly label: string }[] = [
  { format: 'csv', label: 'CSV, for spreadsheets' },
  { format: 'jsonl', label: 'JSON Lines, for programs' },
  { format: 'json', label: 'JSON, one array' },
];

/** Exports all members that match, in order of position. Not for viewers. */
export function ExportMenu({ filter }: { filter: MemberFilter }) {
  const mayWrite = useMayWrite();
  const download = useMutation({
    mutationFn: async (format: ExportFormat) =>
      saveFile(await exportMembers(filter, format), `waitlist.${format}`),
    onError: (error) =>
      toasts.show({
        title: 'Export failed',
        description: messageOf(error),
        variant: 'destructive',
        urgency: 'foreground',
      }),
  });
  if (!mayWrite) return null;
  const hasFilter = Object.keys(filter).length > 0;
  return (
    <DropdownMenu
      trigger={
        <Button icon={<Download aria-hidden="true" size={16} />} isBusy={download.isPending}>
          {hasFilter ? 'Export these' : 'Export all'}
        </Button>
      }
      groups={[
        FORMATS.map(({ format, label }) => ({ label, onSelect: () => download.mutate(format) })),
      ]}
    />
  );
}

import { useMutation } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { type Call, messageOf, requestFile } from '../api/request.ts';
import { Button } from '../ui/buttons.tsx';
import { DropdownMenu } from '../ui/dropdown-menu.tsx';
import { showFailure } from '../ui/toasts.tsx';
import { useMayWrite } from './changes.tsx';

type FileCall = { readonly name: string; readonly call: Call };

function useDownload() {
  return useMutation({
    mutationFn: async ({ name, call }: FileCall) => saveFile(await requestFile(call), name),
    onError: (error) => showFailure('Export failed', messageOf(error)),
  });
}

function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

type DownloadButtonProps = {
  readonly label: string;
  readonly name: string;
  readonly path: string;
};

export function DownloadButton({ label, name, path }: DownloadButtonProps) {
  const mayWrite = useMayWrite();
  const download = useDownload();
  if (!mayWrite) return null;
  return (
    <Button
      icon={<Download aria-hidden="true" size={16} />}
      isBusy={download.isPending}
      onClick={() => download.mutate({ name, call: { path } })}
    >
      {label}
    </Button>
  );
}

type ExportMenuProps = {
  readonly label: string;
  readonly files: readonly (FileCall & { readonly label: string })[];
};

export function ExportMenu({ label: title, files }: ExportMenuProps) {
  const mayWrite = useMayWrite();
  const download = useDownload();
  if (!mayWrite) return null;
  return (
    <DropdownMenu
      trigger={
        <Button icon={<Download aria-hidden="true" size={16} />} isBusy={download.isPending}>
          {title}
        </Button>
      }
      groups={[
        files.map(({ label, ...file }) => ({ label, onSelect: () => download.mutate(file) })),
      ]}
    />
  );
}

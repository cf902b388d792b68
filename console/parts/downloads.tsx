import { useMutation } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { type Call, messageOf, requestFile } from '../api/request.ts';
import { Button } from '../ui/buttons.tsx';
import { DropdownMenu } from '../ui/dropdown-menu.tsx';
import { showFailure } from '../ui/toasts.tsx';
import { useMayWrite } from './changes.tsx';

function useDownload<Input>(callOf: (input: Input) => Call, nameOf: (input: Input) => string) {
  return useMutation({
    mutationFn: async (input: Input) => saveFile(await requestFile(callOf(input)), nameOf(input)),
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
  const download = useDownload<void>(
    () => ({ path }),
    () => name,
  );
  if (!mayWrite) return null;
  return (
    <Button
      icon={<Download aria-hidden="true" size={16} />}
      isBusy={download.isPending}
      onClick={() => download.mutate()}
    >
      {label}
    </Button>
  );
}

type ExportMenuProps<File extends string> = {
  readonly label: string;
  readonly files: Readonly<Record<File, string>>;
  readonly callOf: (file: File) => Call;
  readonly nameOf: (file: File) => string;
};

export function ExportMenu<File extends string>({
  label,
  files,
  callOf,
  nameOf,
}: ExportMenuProps<File>) {
  const mayWrite = useMayWrite();
  const download = useDownload(callOf, nameOf);
  if (!mayWrite) return null;
  return (
    <DropdownMenu
      trigger={
        <Button icon={<Download aria-hidden="true" size={16} />} isBusy={download.isPending}>
          {label}
        </Button>
      }
      groups={[
        (Object.keys(files) as File[]).map((file) => ({
          label: files[file],
          onSelect: () => download.mutate(file),
        })),
      ]}
    />
  );
}

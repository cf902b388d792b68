import { useMutation } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { messageOf, requestFile } from '../api/request.ts';
import { Button } from '../ui/buttons.tsx';
import { DropdownMenu } from '../ui/dropdown-menu.tsx';
import { showFailure } from '../ui/toasts.tsx';
import { useMayWrite } from './changes.tsx';

type ExportFile = {
  readonly name: string;
  readonly path: string;
  /** What is exported, for a call that takes it. */
  readonly body?: object;
};

function useDownload() {
  return useMutation({
    mutationFn: async ({ name, path, body }: ExportFile) =>
      saveFile(await requestFile({ path, body, method: body ? 'POST' : 'GET' }), name),
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

type ExportFilesProps = {
  readonly label?: string;
  readonly files: readonly (ExportFile & { readonly label?: string })[];
};

/** A button, or a menu of several files. */
export function ExportFiles({ label: title = 'Export', files }: ExportFilesProps) {
  const mayWrite = useMayWrite();
  const { mutate, isPending } = useDownload();
  if (!mayWrite) return null;
  const [first, ...more] = files.map(({ label = title, ...file }) => ({
    label,
    onSelect: () => mutate(file),
  }));
  const isMenu = more.length > 0;
  const button = (
    <Button
      icon={<Download aria-hidden="true" size={16} />}
      isBusy={isPending}
      onClick={isMenu ? undefined : first?.onSelect}
    >
      {title}
    </Button>
  );
  return isMenu && first ? <DropdownMenu trigger={button} groups={[[first, ...more]]} /> : button;
}

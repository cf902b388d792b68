import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { uploadList } from '../api/members.ts';
import { messageOf } from '../api/request.ts';
import { Section } from '../ui/facts.tsx';
import { Banner } from '../ui/states.tsx';

export function FileSection({ onUploaded }: { onUploaded: (id: string) => void }) {
  const inputId = useId();
  const [share, setShare] = useState(0);
  const upload = useMutation({
    mutationFn: (file: File) => uploadList(file, (bytes) => setShare(bytes / file.size)),
    onSuccess: ({ id }) => onUploaded(id),
  });
  const take = (file: File | undefined) => {
    if (!file || upload.isPending) return;
    setShare(0);
    upload.mutate(file);
  };
  return (
    <Section title="File" note="CSV with a header: 64 MB and 200,000 rows at most.">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping has the field beside it */}
      <div
        className="drop-zone"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer.files[0]);
        }}
      >
        <label htmlFor={inputId}>Choose a file, or drop one here</label>
        <input
          id={inputId}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          disabled={upload.isPending}
          onChange={(event) => take(event.currentTarget.files?.[0])}
        />
      </div>
      {upload.isPending && <progress aria-label="Upload" value={share} max={1} />}
      {upload.isError && <Banner tone="ember">{messageOf(upload.error)}</Banner>}
    </Section>
  );
}

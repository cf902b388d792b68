import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { call } from '../api/queries.ts';
import { messageOf } from '../api/request.ts';
import { Banner, Section } from '../ui/facts.tsx';

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

/** A chunk stays below the server's limit. */
const CHUNK_BYTES = 192 * 1024;
const CHUNK_TIMEOUT_MS = 120_000;

async function uploadList(file: File, onProgress: (bytes: number) => void) {
  let now = await call('POST imports', { body: { file_name: file.name, bytes: file.size } });
  while (now.received < file.size) {
    const chunk = await file.slice(now.received, now.received + CHUNK_BYTES).arrayBuffer();
    now = await call('POST importChunks', {
      at: [now.id],
      body: { first_byte: now.received, base64: toBase64(new Uint8Array(chunk)) },
      timeoutMs: CHUNK_TIMEOUT_MS,
    });
    onProgress(now.received);
  }
  return now;
}

/** The oldest browsers have no Uint8Array.toBase64. */
function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

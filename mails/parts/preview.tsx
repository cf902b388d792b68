/** Keeps mail apps from filling up the preview with the text that follows. */
const FILLER = '\u034f \u200c \u00a0'.repeat(40);

/** Hidden text that mail apps show beside the subject. */
export function Preview({ text }: { text: string }) {
  const hidden = {
    display: 'none',
    maxHeight: 0,
    overflow: 'hidden',
    fontSize: 1,
    lineHeight: '1px',
    opacity: 0,
    msoHide: 'all',
  } as const;
  return (
    <div style={hidden}>
      {text}
      {FILLER}
    </div>
  );
}

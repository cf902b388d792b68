/** A pinned source is counted apart, however many others there are (docs/operate/overview.md). */
import { MAX_SOURCE_LINK } from '../../../contract/operator/limits.ts';
import type { Overview } from '../../../contract/operator/overview.ts';
import { changeForm } from '../../parts/change-form.tsx';
import { ActionButton } from '../../parts/changes.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { nameSource, writeSource } from './overview-words.ts';

export function PinCell({ source }: { source: Overview['sources'][number] }) {
  const mayWrite = useMayWrite();
  const link = writeSource(source);
  const name = nameSource(source);
  if (link === null) return null;
  if (!mayWrite) return source.is_pinned ? 'Pinned' : null;
  const label = source.is_pinned ? 'Unpin' : 'Pin';
  const kind = source.is_pinned ? 'unpin-source' : 'pin-source';
  return (
    <ActionButton
      variant="quiet"
      label={label}
      aria-label={`${label} ${name}`}
      dialog={changeForm({
        title: `${label} ${name}`,
        confirmLabel: label,
        want: { kind, input: { source: link } },
      })}
    />
  );
}

export const pinSource = changeForm({
  title: 'Pin a source',
  confirmLabel: 'Pin',
  fields: {
    link: {
      label: 'Link',
      hint: 'Or its parameters, such as utm_source=fair&utm_medium=flyer',
      maxLength: MAX_SOURCE_LINK,
      isFirst: true,
    },
  },
  want: ({ link }) => {
    const source = link.trim();
    if (source === '') return 'Write the link that you will print or share.';
    return { kind: 'pin-source', input: { source } };
  },
});

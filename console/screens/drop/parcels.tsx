import { changeForm } from '../../parts/change-form.tsx';
import { ActionButton } from '../../parts/changes.tsx';
import { Section } from '../../ui/frame.tsx';

const MAX_LINES = 200;
const FOR_GOOD = 'A mail cannot be called back: this cannot be undone.';

export function ParcelSection() {
  return (
    <Section
      title="Parcels"
      actions={
        <>
          <ActionButton
            label="Ask for addresses"
            dialog={changeForm({
              title: 'Ask for addresses',
              confirmLabel: 'Ask',
              undoNote: FOR_GOOD,
              want: { kind: 'ask-addresses', input: {} },
            })}
          />
          <ActionButton label="Mark as sent" dialog={markSent()} />
        </>
      }
    >
      <p className="quiet">
        Masks of redeemed passes. Two of the exports above list those that are to be sent.
      </p>
    </Section>
  );
}

export const markSent = (code?: string) =>
  changeForm({
    title: code === undefined ? 'Mark masks as sent' : 'Mark the mask as sent',
    confirmLabel: 'Mark as sent',
    undoNote: FOR_GOOD,
    fields: {
      carrier: { label: 'Carrier', maxLength: 100, isFirst: true },
      lines: {
        label: 'Code of the pass, tracking number',
        kind: 'area',
        value: code === undefined ? '' : `${code}, `,
        hint: 'One mask per line, as in a CSV. Each member is mailed theirs.',
      },
    },
    want: ({ carrier: name, lines }) => {
      const carrier = name.trim();
      const parcels = readLines(lines);
      if (carrier === '') return 'Write who brings the masks.';
      if (typeof parcels === 'string') return parcels;
      return { kind: 'mark-masks-sent', input: { carrier, parcels } };
    },
  });

/** The lines of a pasted list, or what is wrong with it. */
export function readLines(text: string): string[] | string {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  if (lines.length === 0) return 'Paste a list, one per line.';
  if (lines.length <= MAX_LINES) return lines;
  return `At most ${MAX_LINES} at once: the command line takes longer lists.`;
}

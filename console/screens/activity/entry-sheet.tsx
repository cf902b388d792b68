import { useState } from 'react';
import type { AuditEntry } from '../../../contract/operator/changes.ts';
import { UndoDialog } from '../../parts/changes/undo-dialog.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CodeText } from '../../ui/data/code-text.tsx';
import { KeyValues } from '../../ui/data/key-values.tsx';
import { SideSheet } from '../../ui/layers/side-sheet.tsx';
import { formatMoment } from '../../ui/text/times.ts';

export function EntrySheet({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const mayWrite = useMayWrite();
  const [isUndoing, setUndoing] = useState(false);
  const { number, summary, reason, actor, at, subject, undo_until, undone_by } = entry;
  return (
    <SideSheet title={`Entry ${number}`} onClose={onClose}>
      <KeyValues
        entries={[
          ['What', summary],
          ['Why', reason],
          ['Who', actor.name],
          ['When', formatMoment(at)],
          [
            'About',
            subject && (
              <>
                {subject.kind}{' '}
                <CodeText key="subject" label={`the ${subject.kind}`} value={subject.id} />
              </>
            ),
          ],
          ['Undone by', undone_by === null ? null : `change ${undone_by}`],
          ['Undo until', undo_until && formatMoment(undo_until)],
        ]}
      />
      {mayWrite && undo_until !== null && (
        <Button onClick={() => setUndoing(true)}>Undo this change</Button>
      )}
      {isUndoing && (
        <UndoDialog change={number} summary={summary} onClose={() => setUndoing(false)} />
      )}
    </SideSheet>
  );
}

import type { AuditEntry } from '../../../contract/operator/changes.ts';
import { useRows } from '../../api/queries.ts';
import { ActionButton } from '../../parts/changes.tsx';
import { undo } from '../../parts/forms.tsx';
import { QueryList, Screen } from '../../parts/screen.tsx';
import { useListState } from '../../routing/location.ts';
import { CodeText, KeyValues, Pill } from '../../ui/facts.tsx';
import { formatMoment } from '../../ui/formats.ts';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { type Column, timeColumn } from '../../ui/table.tsx';

const columns: readonly Column<AuditEntry>[] = [
  { header: 'What', cell: ({ summary }) => summary },
  { header: 'Why', isMinor: true, cell: ({ reason }) => reason },
  { header: 'Who', isNarrow: true, cell: ({ actor }) => actor.name },
  timeColumn('When', ({ at }) => at),
  {
    header: 'Undo',
    isNarrow: true,
    cell: ({ undo_until, undo_refusal, undone_by }) => {
      if (undone_by !== null) return <Pill>Undone</Pill>;
      if (undo_refusal !== null) return <Pill>No longer</Pill>;
      return undo_until && <Pill tone="charged">Possible</Pill>;
    },
  },
];

export function ActivityScreen() {
  const log = useRows('GET changes', {}, 'before');
  const list = useListState();
  const opened = log.data?.find(({ number }) => String(number) === list.get('open'));
  return (
    <Screen title="Activity" note="What operators did, when and why.">
      <QueryList
        query={log}
        list={list}
        label="Activity"
        columns={columns}
        keyOf={({ number }) => String(number)}
      />
      {opened && <EntrySheet entry={opened} onClose={list.close} />}
    </Screen>
  );
}

function EntrySheet({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { number, summary, reason, actor, at, subject, undo_until, undo_refusal, undone_by } =
    entry;
  return (
    <SideSheet title={`Entry ${number}`} onClose={onClose}>
      <KeyValues
        entries={{
          What: summary,
          Why: reason,
          Who: actor.name,
          When: formatMoment(at),
          About: subject && (
            <>
              {subject.kind} <CodeText label={`the ${subject.kind}`} value={subject.id} />
            </>
          ),
          'Undone by': undone_by === null ? null : `change ${undone_by}`,
          'Undo until': undo_until && formatMoment(undo_until),
          'No undo': undo_refusal,
        }}
      />
      <ActionButton
        label="Undo this change"
        isOffered={undo_until !== null}
        dialog={undo(number, summary)}
      />
    </SideSheet>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MadeChange } from '../../../contract/operator/changes.ts';
import type { ListImport } from '../../../contract/operator/imports/list-import.ts';
import { importQuery } from '../../api/imports.ts';
import { FileSection } from '../../parts/file-section.tsx';
import { QueryFace } from '../../parts/query-face.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { useListState } from '../../routing/use-list-state.ts';
import { useTitle } from '../../routing/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Banner } from '../../ui/data/banner.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { ImportedSection } from './imported-section.tsx';
import { MappingSection } from './mapping-section.tsx';
import { RecentImports } from './recent-imports.tsx';
import { ReportSection } from './report-section.tsx';

/** An existing list becomes part of the line: file, columns, report, import. */
export function ImportsScreen() {
  useTitle('Import');
  const list = useListState();
  const mayWrite = useMayWrite();
  const id = list.get('open');
  const [made, setMade] = useState<MadeChange | null>(null);
  const restart = () => {
    setMade(null);
    list.set({ open: '' }, { isStep: true });
  };
  return (
    <>
      <PageHeader
        title="Import"
        note="Members of an existing list join at the end of the line."
        actions={id !== '' && <Button onClick={restart}>Another file</Button>}
      />
      {!mayWrite && (
        <EmptyFace title="For owners only">An import changes the line for everybody.</EmptyFace>
      )}
      {made !== null && <ImportedSection made={made} />}
      {mayWrite && made === null && id === '' && (
        <>
          <FileSection onUploaded={(uploaded) => list.set({ open: uploaded }, { isStep: true })} />
          <RecentImports hrefOf={(one) => list.hrefWith({ open: one })} />
        </>
      )}
      {mayWrite && made === null && id !== '' && <OneImport key={id} id={id} onMade={setMade} />}
    </>
  );
}

function OneImport({ id, onMade }: { id: string; onMade: (made: MadeChange) => void }) {
  const one = useQuery(importQuery(id));
  return (
    <QueryFace query={one} lines={6}>
      {(data) => <Steps one={data} onMade={onMade} />}
    </QueryFace>
  );
}

function Steps({ one, onMade }: { one: ListImport; onMade: (made: MadeChange) => void }) {
  if (one.problem !== null) return <Banner tone="ember">{one.problem}</Banner>;
  if (one.state === 'importing') return <Banner>The members are joining.</Banner>;
  if (one.state === 'imported') return <Banner>This list was imported.</Banner>;
  if (one.file === null)
    return <Banner tone="ember">The file did not arrive whole: choose it again.</Banner>;
  return (
    <>
      <MappingSection one={one} file={one.file} />
      {one.report && (
        <ReportSection key={one.state} one={one} report={one.report} {...{ onMade }} />
      )}
    </>
  );
}

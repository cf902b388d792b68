import { useQuery } from '@tanstack/react-query';
import { campaignQuery } from '../../api/campaigns.ts';
import { QueryFace } from '../../parts/query-face.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { useTitle } from '../../routing/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { CampaignPill } from './campaign-pill.tsx';
import { CampaignProgress } from './campaign-progress.tsx';
import { DraftEditor } from './draft-editor.tsx';

type CampaignPageProps = {
  /** null: not saved yet. */
  readonly number: number | null;
  readonly onCreated: (number: number) => void;
  readonly onBack: () => void;
};

/** A draft to be edited, or a campaign to be watched. */
export function CampaignPage({ number, onCreated, onBack }: CampaignPageProps) {
  if (number !== null) return <SavedCampaign number={number} onBack={onBack} />;
  return <NewCampaign onCreated={onCreated} onBack={onBack} />;
}

function NewCampaign({ onCreated, onBack }: Omit<CampaignPageProps, 'number'>) {
  useTitle('New campaign');
  const mayWrite = useMayWrite();
  return (
    <>
      <PageHeader
        title="New campaign"
        note="A draft: nothing is sent until you say so."
        actions={<Button onClick={onBack}>All campaigns</Button>}
      />
      {mayWrite ? (
        <DraftEditor
          saved={null}
          onSaved={({ campaign }) => onCreated(campaign)}
          onDeleted={onBack}
        />
      ) : (
        <EmptyFace title="For owners only">A viewer reads campaigns and writes none.</EmptyFace>
      )}
    </>
  );
}

function SavedCampaign({ number, onBack }: { number: number; onBack: () => void }) {
  const campaign = useQuery(campaignQuery(number));
  const title = campaign.data?.subject || `Campaign ${number}`;
  useTitle(title);
  const mayWrite = useMayWrite();
  return (
    <>
      <PageHeader
        title={title}
        note={campaign.data && <CampaignPill of={campaign.data} />}
        actions={<Button onClick={onBack}>All campaigns</Button>}
      />
      <QueryFace query={campaign} lines={8}>
        {(data) =>
          data.state === 'draft' && mayWrite ? (
            <DraftEditor saved={data} onSaved={() => {}} onDeleted={onBack} />
          ) : (
            <CampaignProgress campaign={data} />
          )
        }
      </QueryFace>
    </>
  );
}

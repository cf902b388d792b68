/** A mail to the whole line about the last step. It ends with the hash, as campaigns do then. */
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { createCampaign, readCampaigns } from '../../api/notifications.ts';
import { messageOf } from '../../api/request.ts';
import { Button } from '../../ui/buttons.tsx';
import { showFailure } from '../../ui/toasts.tsx';
import { describeRule } from './step-rules.ts';

const KEEP =
  'Your place on the list is on your page: {status_link}\n\n' +
  'Keep this mail. The hash at its end proves what was fixed: nobody can change it without ' +
  'another hash.';

function draftAbout({ drop: { announcement }, round }: DropFacts) {
  if (announcement === null)
    return {
      subject: 'The line is frozen',
      body: `The order of the line is fixed, and the list is public, without addresses.\n\n${KEEP}`,
    };
  const time = round && new Date(round.public_at).toISOString().replace(/T(\d+:\d+).*/, ' $1 UTC');
  const randomness = time
    ? ` Its randomness is public on ${time}, and known to nobody before.`
    : '';
  return {
    subject: 'The draw is announced',
    body: `How the masks are given: ${describeRule(announcement)}${randomness}\n\n${KEEP}`,
  };
}

/** Finds the draft about the step, or writes it: a second press makes no second mail. */
async function findDraft(facts: DropFacts) {
  const wanted = draftAbout(facts);
  const since = Date.parse(facts.drop.frozen_at ?? '');
  const found = (await readCampaigns()).campaigns.find(
    ({ state, subject, created_at }) =>
      state === 'draft' && subject === wanted.subject && Date.parse(created_at) > since,
  );
  return found ?? (await createCampaign({ ...wanted, filter: {} }));
}

/** Writes a draft and leads to it: nothing is sent. */
export function TellMembers({ facts }: { facts: DropFacts }) {
  const [, navigate] = useLocation();
  const { mutate, isPending } = useMutation({
    mutationFn: () => findDraft(facts),
    onSuccess: ({ campaign }) => navigate(`/campaigns?open=${campaign}`),
    onError: (error) => showFailure('No draft was written', messageOf(error)),
  });
  return (
    <Button isBusy={isPending} onClick={() => mutate()}>
      Write to the line about it
    </Button>
  );
}

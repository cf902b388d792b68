/** Answers calls as the API does in a state of a drop. */
import type { Page } from 'playwright-core';
import { apiPaths, fillPath, offerPath, pagePaths } from '../../contract/paths.ts';
import { answersIn, type DropState, dropStates, SERVER_NOW } from '../../web/dev/sample-drops.ts';
import { answerStatus, MEMBER } from './browser-api.ts';
import type { PageState } from './page-visits.ts';
import { answerPath } from './paused-calls.ts';

type AnsweredState = Pick<DropState, 'place' | 'offer'> & { readonly entryLink?: string | null };

/** A later call replaces the answers. */
export async function answerDrop(
  page: Page,
  { entryLink = null, ...state }: AnsweredState,
): Promise<void> {
  const { place, own, looked } = answersIn(state);
  await answerStatus(
    page,
    { position: 12 },
    {
      available_masks: 41,
      ...(place.state !== 'open' && { drop: place.state }),
    },
  );
  answerPath(page, fillPath(apiPaths.dropPlace, MEMBER.id), () => ({ json: place }));
  answerPath(page, fillPath(apiPaths.offerOf, MEMBER.id), () => ({
    json: { now: SERVER_NOW, offer: looked },
  }));
  answerPath(page, apiPaths.offer, () => ({
    json: { now: SERVER_NOW, member_id: MEMBER.id, offer: own, entry_link: entryLink },
  }));
}

/** The path that leads to the state: with the link of the mail, or without. */
export function pathTo({ hasLink = false }: Pick<DropState, 'hasLink'>): string {
  return hasLink
    ? offerPath(MEMBER.id, 'token-of-the-mail')
    : fillPath(pagePaths.status, MEMBER.id);
}

export const dropPageStates: readonly PageState[] = dropStates.map((state) => ({
  name: state.name,
  async reach({ page, open }) {
    await answerDrop(page, state);
    await open(pathTo(state));
    await page.getByText(state.says).first().waitFor();
  },
}));

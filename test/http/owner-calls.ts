/** What an owner asks of the app of a test, and a drop up to its offers. */
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { OPERATOR_TOKEN, type TestApp } from './test-app.ts';

const AS_OWNER = { authorization: `Bearer ${OPERATOR_TOKEN}` };

/** `app` returns it once it is open. */
export function ownerCalls(app: () => TestApp) {
  const post = async (url: string, payload: object, headers: Record<string, string> = AS_OWNER) => {
    const answer = await app().fastify.inject({ method: 'POST', url, payload, headers });
    return { status: answer.statusCode, ...answer.json() };
  };
  /** Confirms everybody before a freeze. */
  const change = async (kind: string, input: object = {}) => {
    if (kind === 'freeze-drop') await confirmEverybody(app().database);
    return await post(operatorPaths.changes, { kind, input, reason: 'launch day' });
  };
  /** Takes scheduled work by its name. */
  const run = (work: string) =>
    app()
      .scheduledWork.find(({ name }) => name === work)
      ?.run();
  return {
    post,
    change,
    run,
    get: (url: string) => app().fastify.inject({ url, headers: AS_OWNER }),
    preview: async (kind: string, input: object = {}) => {
      if (kind === 'freeze-drop') await confirmEverybody(app().database);
      return await post(operatorPaths.previewChange, { kind, input });
    },
    undo: (number: number) =>
      post(fillPath(operatorPaths.undoChange, String(number)), { reason: 'a mistake' }),
    /** Offers masks in Small, and in no other size, to the first of those who are in line. */
    async offerMasks(masks: number, terms: object, frozen = masks) {
      for (const [size, stock] of Object.entries({ Small: masks, Medium: 0, Large: 0 }))
        await change('set-stock', { size, stock });
      await change('freeze-drop', { first: frozen, domains: ['example.com'] });
      await change('announce-draw', { by_rank: masks, drawn_among: 0, source: 'none' });
      await change('select-entrants');
      await change('start-offers', { time_zone: 'UTC', ...terms });
      await run('making offers');
    },
  };
}

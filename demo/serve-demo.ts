import { seedRandom } from '../brand/art/seeded-random.ts';
import { callOperator } from '../scripts/operator/call-operator.ts';
import { startOwnServer } from '../scripts/own-server.ts';
import { beginStory, END_SIGNALS } from './begin-story.ts';
import { openAnswers } from './people/answers.ts';
import { openMembers } from './people/members.ts';
import { OWNER } from './stage.ts';

const LOOK_MS = 500;

/** Serves the line as `npm start` would; its members answer their offers at once. */
export async function serveDemo({ members, seed }: { members: number; seed: string }) {
  const { stage, settings, mailbox, url } = await beginStory({ members, seed });
  await stage.close();
  for (const signal of END_SIGNALS) process.removeAllListeners(signal);
  await startOwnServer(settings);
  const random = seedRandom(`${seed} answers`);
  const people = openMembers({ url, random, mails: mailbox.mails, answers: openAnswers() });
  setInterval(() => {
    people.answer(Number.POSITIVE_INFINITY).catch(() => undefined); // The server is being ended.
  }, LOOK_MS).unref();
  const server = { dataDir: settings.DATA_DIR, operatorToken: settings.OPERATOR_TOKEN };
  return {
    server,
    async makeLink(): Promise<string> {
      const body = { email: OWNER.email };
      return (await callOperator(server, 'POST signInLinks', { body })).link;
    },
  };
}

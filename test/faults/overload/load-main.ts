/** Generates load in its own process: reads the plan from stdin, prints result and members. */
import { text } from 'node:stream/consumers';
import { offerLoad } from './offer-load.ts';

/** Longer than any plan. Nobody waits for a generator whose test has ended. */
const MAX_MS = 300_000;
setTimeout(() => process.exit(1), MAX_MS).unref();

const { plan, members } = JSON.parse(await text(process.stdin));
const known = members.length;
const result = await offerLoad(plan, members);
process.stdout.write(JSON.stringify({ result, members: members.slice(known) }), () =>
  process.exit(),
);

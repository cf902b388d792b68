/** Generates load in its own process: reads the plan from stdin, prints result and members. */
import { text } from 'node:stream/consumers';
import { offerLoad } from './offer-load.ts';

const { plan, members } = JSON.parse(await text(process.stdin));
const known = members.length;
const result = await offerLoad(plan, members);
process.stdout.write(JSON.stringify({ result, members: members.slice(known) }), () => {
  // Node waits at its exit for V8's threads, and one may wait for a collection by the main one.
  process.kill(process.pid, 'SIGKILL');
});

/** A process that offers load, so that the server is measured and not the test: plan as its input, result and members as its output. */
import { text } from 'node:stream/consumers';
import { offerLoad } from './offer-load.ts';

const { plan, members } = JSON.parse(await text(process.stdin));
const known = members.length;
const result = await offerLoad(plan, members);
process.stdout.write(JSON.stringify({ result, members: members.slice(known) }), () => process.exit());

import { Worker } from 'node:worker_threads';
import { type CampaignText, type ReadText, refuse } from './campaign-text.ts';

/** Parsing takes some seconds at most, but the machine may be busy. */
const DEADLINE_MS = 15_000;

export type TextReader = ReturnType<typeof openTextReader>;

/** Reads texts on a thread, one after the other: no limit bounds the time of every Markdown. */
export function openTextReader(deadlineMs = DEADLINE_MS) {
  let last: Promise<unknown> = Promise.resolve();
  return (text: CampaignText): Promise<ReadText> => {
    const reading = last.then(() => readOnThread(text, deadlineMs));
    last = reading;
    return reading;
  };
}

async function readOnThread(text: CampaignText, deadlineMs: number): Promise<ReadText> {
  const { promise, resolve } = Promise.withResolvers<ReadText>();
  const thread = new Worker(new URL('./text-thread.ts', import.meta.url), { workerData: text });
  const deadline = setTimeout(() => thread.terminate(), deadlineMs);
  thread.on('message', resolve);
  // A text that breaks the parser is one that takes too long, too.
  thread.on('error', () => {});
  thread.on('exit', () =>
    resolve(refuse('This text could not be read in time: use fewer marks such as * and [.')),
  );
  return await promise.finally(() => clearTimeout(deadline));
}

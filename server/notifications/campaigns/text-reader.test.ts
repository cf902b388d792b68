import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test, vi } from 'vitest';
import { readText } from './campaign-text.ts';
import { openTextReader } from './text-reader.ts';

vi.mock('mdast-util-from-markdown', { spy: true });

const text = { subject: 'News', body: 'At **{position}**, [go](https://a.example)' };
const read = openTextReader();

test('the thread that answers visitors parses nothing', async () => {
  const parsed = await read(text);
  const { problems } = await read({ ...text, body: '{x}' });
  expect(problems).toHaveLength(1);
  expect(fromMarkdown).not.toHaveBeenCalled();
  expect(parsed).toEqual(readText(text));
});

test('a text that takes too long, or breaks the parser, has a problem', async () => {
  const late = { problems: [expect.stringContaining('could not be read in time')], blocks: [] };
  expect(await openTextReader(1)(text)).toEqual(late);
  expect(await read({ ...text, body: null as unknown as string })).toEqual(late);
  expect((await read(text)).problems).toEqual([]);
});

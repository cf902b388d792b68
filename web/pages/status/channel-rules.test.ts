import { expect, test } from 'vitest';
import { readSource, SOURCELESS } from '../../../server/line/sources/source-rules.ts';
import { listChannels } from './channel-rules.ts';

const URL_OF_INVITE = 'https://waitlist.example/invite/7K3MPQ9XHT';
const invite = { title: 'This & that', text: '100 masks? Mine & yours #1.', url: URL_OF_INVITE };
const channels = listChannels(invite);

const linkIn = (href: string) =>
  /https:\/\/waitlist\.example\S+/.exec([...new URL(href).searchParams.values()].join('\n'))?.[0];

test.each(channels)(
  '$name gets a link that names it, and the server reads the name',
  ({ href }) => {
    const link = new URL(linkIn(href) ?? '');
    expect(link.origin + link.pathname).toBe(URL_OF_INVITE);
    const source = readSource(link.searchParams, 'waitlist.example');
    expect(source).toEqual({ ...SOURCELESS, via: link.searchParams.get('via') });
    expect(href).not.toMatch(/[\s#]/);
  },
);

test('the channels differ in what they say of themselves', () => {
  const vias = channels.map(({ href }) => decodeURIComponent(href).split('via=')[1]?.split('&')[0]);
  expect(vias).toEqual(['whatsapp', 'telegram', 'x', 'facebook', 'sms', 'email']);
});

test('all but Facebook, which takes none, get the sentence', () => {
  const silent = channels.filter(({ href }) => !decodeURIComponent(href).includes(invite.text));
  expect(silent.map(({ name }) => name)).toEqual(['Facebook']);
});

/** One of each mail, with a frame as the server makes it. */
import { brand } from '../../brand/brand.ts';
import type { MailContent } from '../../contract/mails.ts';
import {
  sampleFrame as frameAt,
  sampleMails,
} from '../../server/notifications/dev/sample-mails.ts';

const publicUrl = 'https://line.example.com';

export const sampleFrame = frameAt(publicUrl);

const samples = sampleMails(brand);
export const sampleNames = samples.map(({ name }) => name);

export const sampleContents: readonly (readonly [name: string, content: MailContent])[] = [
  ...samples.map(({ name, content }) => {
    const action = `${publicUrl}/confirm/token`;
    return [name, { ...content, ...(name === 'confirm' && { action }) }] as const;
  }),
  [
    'campaign',
    {
      kind: 'campaign',
      subject: 'News for #128',
      blocks: [
        { kind: 'heading', words: [{ kind: 'text', text: 'The drop is near' }] },
        {
          kind: 'paragraph',
          words: [
            { kind: 'text', text: 'You stand at 128, ' },
            { kind: 'strong', words: [{ kind: 'text', text: 'ahead of many' }] },
            { kind: 'break' },
            { kind: 'emphasis', words: [{ kind: 'code', text: 'soon' }] },
          ],
        },
        {
          kind: 'list',
          firstNumber: 3,
          items: [
            [{ kind: 'paragraph', words: [{ kind: 'text', text: 'Masks' }] }],
            [
              { kind: 'paragraph', words: [{ kind: 'text', text: 'And' }] },
              {
                kind: 'list',
                firstNumber: null,
                items: [[{ kind: 'paragraph', words: [{ kind: 'text', text: 'more' }] }]],
              },
            ],
          ],
        },
        { kind: 'quote', blocks: [{ kind: 'code', text: 'a  b\nc' }] },
        { kind: 'rule' },
      ],
    },
  ],
];

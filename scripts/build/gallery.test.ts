import { expect, test } from 'vitest';
import { forceStates } from './gallery.ts';

test('pointer and keyboard states can be forced on all elements', () => {
  expect(forceStates('.button:hover{color:red}')).toBe(
    '.button:is(:hover, [data-force="hover"] *){color:red}',
  );
});

test('other states stay unchanged', () => {
  const css = ':focus-within,.a:disabled,.b[aria-busy="true"]{color:red}';
  expect(forceStates(css)).toBe(css);
});

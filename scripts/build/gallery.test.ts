import { expect, test } from 'vitest';
import { forceStates } from './gallery.ts';

test('a state of pointer or keyboard can be forced on an element and on what holds it', () => {
  expect(forceStates('.button:hover{color:red}')).toBe(
    '.button:is(:hover, [data-force="hover"], [data-force="hover"] > *){color:red}',
  );
});

test('states that are no pointer or keyboard state stay as they are', () => {
  const css = ':focus-within,.a:disabled,.b[aria-busy="true"]{color:red}';
  expect(forceStates(css)).toBe(css);
});

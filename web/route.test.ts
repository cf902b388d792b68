import { describe, expect, test } from 'vitest';
import { fillPath, pagePaths } from '../contract/paths.ts';
import { readRoute } from './route.ts';

describe('readRoute', () => {
  test.each([
    [pagePaths.landing, { page: 'landing', param: '' }],
    [fillPath(pagePaths.status, 'some-id'), { page: 'status', param: 'some-id' }],
    [fillPath(pagePaths.invite, 'AB/ CD'), { page: 'invite', param: 'AB/ CD' }],
    ['/invite/CODE/', { page: 'not-found', param: '' }],
    ['/invite/', { page: 'not-found', param: '' }],
    ['/invite/a/b', { page: 'not-found', param: '' }],
    ['/invite/%E0%A4%A', { page: 'invite', param: '%E0%A4%A' }],
    ['/thank-you/%', { page: 'status', param: '%' }],
    ['/thank-you', { page: 'not-found', param: '' }],
    ['/elsewhere', { page: 'not-found', param: '' }],
  ] as const)('%s', (path, expected) => {
    expect(readRoute(path)).toEqual(expected);
  });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { provideFolder } from '../test/support/provide-folder.ts';
import { readEnvFile, unknownNames } from './env-file.ts';
import { StartupError } from './startup-error.ts';

const pathOf = provideFolder();
let path: string;
beforeEach(() => {
  path = pathOf('.env');
});

describe('a .env file', () => {
  test('that is not there sets nothing', () => {
    expect(readEnvFile(path)).toEqual({});
  });

  test('with a byte order mark sets its first name as well', () => {
    writeFileSync(path, '\uFEFFPORT=8080\n# a comment\nHOST="::1"\n');
    expect(readEnvFile(path)).toEqual({ PORT: '8080', HOST: '::1' });
  });

  test('in UTF-16 is refused with what to do', () => {
    writeFileSync(path, Buffer.from('\uFEFFPORT=8080\n', 'utf16le'));
    expect(() => readEnvFile(path)).toThrow(
      new StartupError(`${path} is in UTF-16: save it as UTF-8.`),
    );
  });

  test('that cannot be read is refused with the reason', () => {
    mkdirSync(path);
    expect(() => readEnvFile(path)).toThrow(
      new StartupError(`${path} cannot be read: it is a folder.`),
    );
  });
});

describe('a name that is no setting', () => {
  const settings = ['PORT', 'HOST', 'PUBLIC_URL', 'MAIL_FROM', 'OPERATOR_TOKEN', 'LIMITS'];

  test.each([
    ['PROT', 'PORT'],
    ['port', 'PORT'],
    ['PUBLIC_UR', 'PUBLIC_URL'],
    ['MAILFROM', 'MAIL_FROM'],
    ['OPERATR_TOKEM', 'OPERATOR_TOKEN'],
    ['LIMIT', 'LIMITS'],
  ])('such as %s is told with %s', (name, nearest) => {
    expect(unknownNames([name], settings)).toEqual([
      `.env sets ${name}, which is not a setting: did you mean ${nearest}?`,
    ]);
  });

  test('and is like none of them is reported as it is', () => {
    expect(unknownNames(['STRIPE_KEY', 'X'], settings)).toEqual([
      '.env sets STRIPE_KEY, which is not a setting: remove it.',
      '.env sets X, which is not a setting: remove it.',
    ]);
  });

  test('and belongs to Node, PostgreSQL, Docker Compose or the tests is left alone', () => {
    const names = ['NODE_OPTIONS', 'PGSSLMODE', 'COMPOSE_PROJECT_NAME', 'SITE', 'CHROMIUM_PATH'];
    expect(unknownNames(names, settings)).toEqual([]);
  });
});

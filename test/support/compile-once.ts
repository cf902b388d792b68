/**
 * Compiles each schema of the API once for all apps that the tests of a worker open: it was most of
 * the work of opening one. A server of its own process compiles as shipped.
 */
import { createRequire } from 'node:module';

type Build = (schemas: unknown, options: { readonly customOptions?: unknown }) => Compile;
type Compile = (route: { readonly schema: unknown }) => unknown;

const requireOfFastify = createRequire(createRequire(import.meta.url).resolve('fastify'));

for (const name of ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']) {
  const select: () => Build = requireOfFastify(name);
  // Vitest runs this again for each test file of a worker.
  if (select.name === 'selectOnce') continue;
  const build = select();
  const compiled = new Map<string, unknown>();
  const buildOnce: Build = (schemas, options) => {
    const compile = build(schemas, options);
    const shared = JSON.stringify([schemas, options]);
    return (route) => {
      const key = `${shared}${JSON.stringify(route.schema)}`;
      if (!compiled.has(key)) compiled.set(key, compile(route));
      return compiled.get(key);
    };
  };
  const module = requireOfFastify.cache[requireOfFastify.resolve(name)];
  if (module === undefined) throw new Error(`${name} is not loaded`);
  module.exports = function selectOnce() {
    return buildOnce;
  };
}

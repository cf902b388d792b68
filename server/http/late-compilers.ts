/**
 * Fastify's compilers of JSON schemas, put off until the first call of each route: compiled at the
 * start, the schemas of all routes took a quarter of it: decision 0007.
 */
import validators from '@fastify/ajv-compiler';
import serializers, { type SerializerFactory } from '@fastify/fast-json-stringify-compiler';

type ValidatorFactory = ReturnType<typeof validators>;
type Compiled = { (data: unknown): unknown; errors?: unknown };
type Compile = (route: never) => Compiled;

/** For Fastify's `schemaController`. Schemas of headers must have their names in lower case. */
export const lateCompilers = {
  buildValidator: (...setUp: Parameters<ValidatorFactory>) => compileLate(validators()(...setUp)),
  buildSerializer: (...setUp: Parameters<SerializerFactory>) =>
    compileLate(serializers()(...setUp)),
};

function compileLate<Late>(compile: Late): Late {
  const late = (route: never): Compiled => {
    let compiled: Compiled | undefined;
    const run: Compiled = (data) => {
      compiled ??= (compile as Compile)(route);
      const result = compiled(data);
      // Fastify reads from the function what a validator complains of.
      run.errors = compiled.errors;
      return result;
    };
    return run;
  };
  return late as Late;
}

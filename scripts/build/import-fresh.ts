import { pathToFileURL } from 'node:url';

/** Imports are cached by URL, and one process may build several times: each gets a new URL. */
export async function importFresh<Module>(path: string): Promise<Module> {
  return await import(`${pathToFileURL(path).href}?${Date.now()}`);
}

/** A file to write, by name inside its output folder. */
export type OutputFile = { readonly name: string; readonly bytes: Buffer };

/** A file to write; the name is relative to its output folder. */
export type OutputFile = { readonly name: string; readonly bytes: Buffer };

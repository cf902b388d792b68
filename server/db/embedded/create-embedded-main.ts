import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { DurableFileSystem, durableStartParams, syncPath } from './durable-file-system.ts';
import { limitMemory } from './low-memory-wasm.ts';

process.on('disconnect', () => process.exit(1));

const folder = process.argv[2];
if (folder === undefined) throw new Error('Give the folder to create the database in.');
// Optimising would take longer than it saves, and twice the memory.
limitMemory();
const pglite = await PGlite.create({
  fs: new DurableFileSystem(folder),
  startParams: durableStartParams,
});
await pglite.close();
// initdb ran without fsync, on another file system in memory.
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
  if (entry.isFile() || entry.isDirectory()) syncPath(join(entry.parentPath, entry.name));
syncPath(folder);
process.exit(0);

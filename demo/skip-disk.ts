/** Imported first: the demo's data is thrown away, so no file of the process waits for the disk. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

fs.fsyncSync = () => {};
syncBuiltinESMExports();

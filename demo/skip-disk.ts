/**
 * Imported first. No file of this process waits for the disk: the demo's data is thrown away, and
 * weeks of joins in a few seconds would wait for little else.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

fs.fsyncSync = () => {};
syncBuiltinESMExports();

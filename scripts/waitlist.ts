import { loadConfig } from '../server/config.ts';
import { endWithReader } from './command-line/output.ts';
import { runCommandLine } from './command-line/run-command-line.ts';
import { enterProgramFolder } from './command-line/working-folder.ts';

endWithReader();
enterProgramFolder();
await runCommandLine(process.argv.slice(2), loadConfig);

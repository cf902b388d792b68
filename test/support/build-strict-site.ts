/**
 * Builds the site that warns, as a process of its own: React stays in the mode in which a process
 * has first loaded it.
 */
import { buildSite } from '../../scripts/build.ts';
import { STRICT_SITE } from './server-process.ts';

await buildSite({ outDir: STRICT_SITE, mode: 'test' });

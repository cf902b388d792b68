import { parentPort } from 'node:worker_threads';
import { readText } from './campaign-text.ts';

parentPort?.on('message', (text) => parentPort?.postMessage(readText(text)));

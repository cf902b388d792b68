import { parentPort, workerData } from 'node:worker_threads';
import { readText } from './campaign-text.ts';

parentPort?.postMessage(readText(workerData));

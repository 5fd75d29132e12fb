import { generateKeyPairSync, verify } from 'node:crypto';
import { isMainThread } from 'node:worker_threads';
import { signEd25519 } from '../../src/platform/crypto/crypto.ts';

declare const self: Worker;

if (!isMainThread) self.onmessage = ({ data }) => self.postMessage(bareRate(Number(data)));

/**
 * Measures how many signatures per second all cores verify with only node:crypto and an imported key. @param
 * seconds the duration
 */
export async function bareRateOfAllCores(seconds: number): Promise<number> {
  const workers = Array.from({ length: navigator.hardwareConcurrency }, () => new Worker(import.meta.url));
  const rates = await Promise.all(
    workers.map(
      (worker) =>
        new Promise<number>((resolve, reject) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.postMessage(seconds);
        }),
    ),
  );
  for (const worker of workers) worker.terminate();
  return rates.reduce((sum, rate) => sum + rate, 0);
}

function bareRate(seconds: number): number {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const message = new TextEncoder().encode('ab'.repeat(32));
  const signature = signEd25519(privateKey, message);
  const since = performance.now();
  let checks = 0;
  while (performance.now() - since < seconds * 1000) {
    for (let index = 0; index < 100; index++) {
      if (!verify(null, message, publicKey, signature)) throw new Error('a signature is bad');
    }
    checks += 100;
  }
  return checks / ((performance.now() - since) / 1000);
}

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives, signEd25519 } from '../../../src/platform/crypto/crypto.ts';
import { bytesToHex } from '../../../src/proof/encoding/hex.ts';
import { kidOf } from '../../../src/proof/keys/kid.ts';
import { contentHash, type ReceiptPayload, signingMessage } from '../../../src/proof/receipt/receipt.ts';
import { EXECUTABLE } from '../../build.ts';
import { bareRateOfAllCores } from '../bare-ed25519.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast } from '../harness/metric.ts';
import { finalPayload, pendingPayload } from '../payload.ts';
import { median, print } from '../statistics.ts';

export const verify = defineBenchmark({
  name: 'verify',
  capability: 'Verification and audit',
  about:
    '`countersign verify` of a file of receipts, from exec to exit, against bare Ed25519 verification on the same cores (node:crypto ' +
    'with imported keys, a Worker a core), in turns.',
  needs: ['product'],
  metrics: {
    ratio: {
      label: 'Receipts verified ÷ bare signatures verified',
      unit: 'ratio',
      goal: atLeast(0.7),
      goalHoldsFor: 'full',
    },
    rate: { label: 'Receipts verified a second', unit: 'count' },
  },
  short: { receipts: 100_000, rounds: 3, seconds: 3 },
  full: { receipts: 200_000, rounds: 5, seconds: 5 },
  async run({ receipts, rounds, seconds }, bench) {
    const { file, keys } = await signedReceipts(bench.newDirectory(), receipts);
    const ratios: number[] = [];
    const rates: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const bare = await bareRateOfAllCores(seconds);
      const rate = receipts / (await verifySeconds(file, keys));
      ratios.push(rate / bare);
      rates.push(rate);
      print(`| ${round} | ${bare.toFixed(0)} | ${rate.toFixed(0)} | ${(rate / bare).toFixed(3)} |`);
    }
    return { ratio: median(ratios), rate: median(rates) };
  },
});

/** Writes receipts signed as by the service, half of them pending, half finalized. */
export async function signedReceipts(
  directory: string,
  receipts: number,
): Promise<{ file: string; keys: string }> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  const kid = kidOf(nativePrimitives, raw);
  const row = {
    kid,
    algorithm: 'Ed25519',
    public_key: bytesToHex(raw),
    purpose: 'receipts',
    status: 'active',
    valid_from: '2026-01-01T00:00:00.000Z',
    valid_until: null,
  };
  const keys = join(directory, 'keys.json');
  writeFileSync(keys, JSON.stringify({ keys: [row] }));
  const file = join(directory, 'receipts.ndjson');
  const out = createWriteStream(file);
  for (let index = 0; index < receipts; index++) {
    const line = `${JSON.stringify(signed(payload(index), privateKey, kid))}\n`;
    if (!out.write(line)) await new Promise((resolve) => out.once('drain', resolve));
  }
  await new Promise<void>((resolve) => out.end(resolve));
  return { file, keys };
}

function payload(index: number): ReceiptPayload {
  const pending = pendingPayload(index, {
    operator_id: 'op_cus_A1b2C3d4E5f6G7h8I9j0K1l2',
    issued_at: '2026-05-01T12:00:00.000Z',
  });
  return index % 2 === 0 ? pending : finalPayload(pending);
}

function signed(receipt: ReceiptPayload, privateKey: KeyObject, kid: string) {
  const content_hash = contentHash(nativePrimitives, receipt);
  const signature = bytesToHex(signEd25519(privateKey, signingMessage(content_hash)));
  return { ...receipt, content_hash, signature, kid };
}

/** Measures the seconds from the start of the executable to its end. */
async function verifySeconds(file: string, keys: string): Promise<number> {
  const since = performance.now();
  const child = Bun.spawn([EXECUTABLE, 'verify', file, '--keys', keys], { stdout: 'pipe', stderr: 'pipe' });
  const summary = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`not valid: ${summary}`);
  return (performance.now() - since) / 1000;
}

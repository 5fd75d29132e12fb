import { Database } from 'bun:sqlite';
import { client, strings } from '../../test/support/client.ts';
import { fourSteps } from '../../test/support/four-steps.ts';
import { scratch, serve } from '../../test/support/process.ts';

/**
 * Kills the service with SIGKILL under load, again and again, on one data directory. After each restart every receipt that
 * was ever answered 2xx must be there and verify, and the database must be whole. @returns how many were promised.
 */
export async function killNine(rounds: number): Promise<number> {
  const { path, dispose } = scratch();
  const data = `${path}/data`;
  const apiKey = `pp_${'5a'.repeat(32)}`;
  const env = { COUNTERSIGN_BOOTSTRAP_API_KEY: apiKey };
  const promised = new Map<string, string>();
  try {
    for (let round = 0; round < rounds; round++) {
      const fresh = new Map<string, string>();
      const server = await serve(data, env);
      const api = client(fetch, server.url, apiKey);
      const load = Array.from({ length: 32 }, async () => {
        for (;;) {
          const issued = await api.issue();
          if (issued.status !== 201) throw new Error(`issue answered ${issued.status}`);
          fresh.set(String(issued.body.receipt_id), 'pending');
          const ended = await api.finalize(issued.body.receipt_id, {
            status: 'refusal',
            refusal_reason: 'load',
          });
          if (ended.status !== 200) throw new Error(`finalize answered ${ended.status}`);
          fresh.set(String(issued.body.receipt_id), 'refusal');
        }
      }).map((worker) => worker.catch((error: Error) => error.message));
      // Somewhere within a group: the number is drawn, so that rounds die at different points.
      const target = 200 + Math.floor(Math.random() * 400);
      while (fresh.size < target) await Bun.sleep(1);
      await server.stop('SIGKILL');
      const answers = (await Promise.all(load)).filter((message) => / answered /.test(message));
      if (answers.length > 0) throw new Error(answers[0]);
      await check(data, env, apiKey, fresh);
      for (const [id, status] of fresh) promised.set(id, status);
    }
    await check(data, env, apiKey, promised);
    return promised.size;
  } finally {
    dispose();
  }
}

async function check(
  data: string,
  env: Record<string, string>,
  apiKey: string,
  promised: Map<string, string>,
): Promise<void> {
  const database = new Database(`${data}/trust.db`);
  for (const pragma of ['integrity_check', 'foreign_key_check']) {
    const rows = database.query<Record<string, unknown>, []>(`PRAGMA ${pragma}`).all();
    const whole = rows.length === 0 || rows[0]?.integrity_check === 'ok';
    if (!whole) throw new Error(`${pragma}: ${JSON.stringify(rows)}`);
  }
  database.close();
  const server = await serve(data, env);
  const api = client(fetch, server.url, apiKey);
  const { body } = await api.get('/api/v1/public-key');
  for (const [id, status] of promised) {
    const receipt = await api.get(`/api/v1/receipts/${id}`);
    if (receipt.status !== 200) throw new Error(`${id} was promised and is gone`);
    const verdict = fourSteps(strings(receipt.body), String(body.public_key), Date.now());
    if (verdict !== 'valid') throw new Error(`${id}: ${verdict}`);
    const kept = receipt.body.status === status || status === 'pending';
    if (!kept) throw new Error(`${id} was ${status} and is ${receipt.body.status}`);
  }
  const { code } = await server.stop();
  if (code !== 0) throw new Error(`the restarted service ended with ${code}`);
}

if (import.meta.main) {
  const rounds = Number(process.argv[2] ?? 200);
  const since = performance.now();
  const promised = await killNine(rounds);
  const seconds = ((performance.now() - since) / 1000).toFixed(0);
  process.stdout.write(
    `${rounds} kills, ${promised} receipts promised, none lost, all verify (${seconds} s)\n`,
  );
}

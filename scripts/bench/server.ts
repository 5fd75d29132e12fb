import '../../src/platform/node-env.ts';

import { resolve } from 'node:path';
import { Elysia } from 'elysia';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { keyed } from '../../src/platform/http/auth/keyed.ts';
import { listen } from '../../src/platform/http/server.ts';
import { Traffic } from '../../src/platform/http/traffic.ts';
import { createLog } from '../../src/platform/monitoring/log.ts';
import { noopRecorder } from '../../src/platform/monitoring/recorder.ts';
import { schedule } from '../../src/platform/scheduler.ts';
import { systemTimers } from '../../src/platform/time/clock.ts';
import { DEFAULT_CONTEXT } from '../../src/proof/agent/commitment.ts';
import { createAgentIn } from '../../src/trust/agents/create-agent.ts';
import { IssueRequest } from '../../src/trust/receipts/schema.ts';
import type { TrustModule, TrustServer } from '../../src/trust/service/module.ts';
import { trustModules } from '../../src/trust/service/modules.ts';
import { openTrustService } from '../../src/trust/service/service.ts';
import { SETTLEMENT_SECRET, STRIPE_SECRET } from './secrets.ts';

/** The trust service with a baseline: a no-op POST that reads and validates the same body. */
const [data = '', apiKey = '', rateLimits = 'on', publication = 'on'] = process.argv.slice(2);
const { log } = await createLog('warn');
const directory = takeDataDirectory(resolve(data));
const config = new Map([
  ['bootstrap_api_key', apiKey],
  ['rate_limits', rateLimits],
  ['payments.settlement.x402.secret', SETTLEMENT_SECRET],
  // Nothing is ordered, so nothing is sent to Stripe.
  ['billing.stripe.secret_key', 'sk_live_of_the_benchmarks'],
  ['billing.stripe.webhook_secret', STRIPE_SECRET],
]);
const traffic = new Traffic();
const nobody = {
  authenticate: async () => ({}),
  authorize: null,
  idempotencyScope: () => '',
  idempotency: { find: async () => null, save: async () => undefined },
};
const yardstick: TrustServer = {
  routes: ({ trust, auth }) => [
    new Elysia()
      .use(keyed(nobody))
      .use(auth.open)
      .get('/noop', () => ({ ok: true }), { open: 'free' })
      .post('/noop', () => ({ ok: true }), { keyed: true, body: IssueRequest }),
    // Enrolls an agent without a challenge; takes a public key and returns the commitment.
    new Elysia().post(
      '/enrolled',
      async ({ request }) => {
        const publicKey = await request.text();
        const agent = await trust.store.writeAsService((tx) =>
          createAgentIn(tx, trust, { publicKey, context: DEFAULT_CONTEXT, name: null, sponsorSeq: null }),
        );
        return agent.subjectCommitment;
      },
      { parse: 'none' },
    ),
  ],
};
const modules: readonly TrustModule[] = [
  ...trustModules,
  { name: 'yardstick', server: async () => ({ server: yardstick }) },
];
const service = await openTrustService(directory, config, log, {
  version: 'bench',
  url: 'http://localhost',
  traffic,
  modules,
});
const { tasks } = await service.background();
const scheduled = publication === 'on' ? tasks : tasks.filter(({ name }) => name !== 'publish checkpoints');
const scheduler = schedule(scheduled, {
  log,
  timers: systemTimers,
  recorder: noopRecorder,
});
const server = listen('127.0.0.1', 0, null, { traffic });
server.serve(service.app('/'));
process.stdout.write(`${server.url}\n`);
process.on('SIGTERM', async () => {
  await server.stop(1000);
  await scheduler.stop();
  await service.close();
  directory.release();
  process.exit(0);
});

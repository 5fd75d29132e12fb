import '../../src/platform/production.ts';

import { resolve } from 'node:path';
import { Elysia } from 'elysia';
import { systemTimers } from '../../src/platform/clock.ts';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { createApp } from '../../src/platform/http/app.ts';
import { keyed } from '../../src/platform/http/keyed.ts';
import { Limits } from '../../src/platform/http/limits.ts';
import { open } from '../../src/platform/http/open.ts';
import { listen } from '../../src/platform/http/server.ts';
import { Traffic } from '../../src/platform/http/traffic.ts';
import { createLog } from '../../src/platform/log.ts';
import { unobserved } from '../../src/platform/observer.ts';
import { schedule } from '../../src/platform/scheduler.ts';
import { DEFAULT_CONTEXT } from '../../src/proof/commitment.ts';
import { issueAgentIn } from '../../src/trust/agents/issue.ts';
import { trustRoutes } from '../../src/trust/app.ts';
import { trustDialect } from '../../src/trust/dialect.ts';
import { IssueRequest } from '../../src/trust/receipts/schema.ts';
import { openTrustService } from '../../src/trust/service.ts';
import { trustSettings } from '../../src/trust/settings.ts';

/** The trust service with a yardstick: a POST that reads and validates the same body and does nothing. */
const [data = '', apiKey = '', rateLimits = 'on'] = process.argv.slice(2);
const { log } = createLog('warn');
const directory = takeDataDirectory(resolve(data));
const config = new Map([['bootstrap_api_key', apiKey]]);
const traffic = new Traffic();
const { trust, webhooks, jobs, close } = await openTrustService(directory, config, log, {
  version: 'bench',
  url: 'http://localhost',
  traffic,
});
const limits = new Limits({
  on: rateLimits === 'on',
  trustedProxies: trustSettings.trustedProxies.in(config),
});
const nobody = {
  authenticate: async () => ({}),
  idempotencyScope: () => '',
  idempotency: { find: () => undefined, keep: () => undefined },
};
const noop = new Elysia()
  .use(keyed(nobody))
  .use(open(limits, trust.rules.policies))
  .get('/noop', () => ({ ok: true }), { open: 'free' })
  .post('/noop', () => ({ ok: true }), { keyed: true, body: IssueRequest });
/** Enrolls an agent without a challenge: a public key in, its commitment out. */
const enrolling = new Elysia().post(
  '/enrolled',
  async ({ request }) => {
    const publicKey = await request.text();
    const agent = await trust.store.writeAsService((tx) =>
      issueAgentIn(tx, trust, { publicKey, context: DEFAULT_CONTEXT, name: null, sponsorSeq: null }),
    );
    return agent.subjectCommitment;
  },
  { parse: 'none' },
);
const stopJobs = schedule(jobs, { log, timers: systemTimers, observer: unobserved });
const server = listen('127.0.0.1', 0, null, traffic);
const routes = [...trustRoutes(trust, webhooks, limits, 'bench', false), noop, enrolling];
server.answer(createApp(trustDialect, log, limits, routes, () => null));
process.stdout.write(`${server.url}\n`);
process.on('SIGTERM', async () => {
  await server.stop(1000);
  await stopJobs();
  await close();
  directory.release();
  process.exit(0);
});

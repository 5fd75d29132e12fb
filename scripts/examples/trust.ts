import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import type { OperationExamples } from '../../src/platform/http/openapi/openapi.ts';
import { openTrustDemo } from '../../src/trust/demo/open.ts';
import { DEMO_API_KEY, DEMO_WEBHOOK_ID } from '../../src/trust/http/example-ids.ts';
import { trustDatabase } from '../../src/trust/service/database.ts';
import { trustModules } from '../../src/trust/service/modules.ts';
import { openTrustService } from '../../src/trust/service/service.ts';
import { tryFromTop } from '../../test/support/try-it-out.ts';
import { environmentOf, ORIGIN, PEER, recordingClock } from './environment.ts';
import { Recorder } from './recorder.ts';
import { sendTrustRequests, TRUST_PROBLEMS } from './trust-requests.ts';

/** The service writes the results of deliveries after a second. */
const RESULTS_MS = 1500;

/** Records the examples of the trust service. */
export async function recordTrust(): Promise<OperationExamples> {
  const { clock, tick } = recordingClock();
  const directory = takeDataDirectory(':memory:');
  const modules = trustModules.map((module) => ({ ...module, examples: async () => ({ default: {} }) }));
  const demo = await openTrustDemo(environmentOf(directory, clock), modules);
  try {
    const { trust, webhooks } = demo;
    const app = demo.app('/');
    const settle = async (): Promise<void> => {
      await trust.log.publisher.publish();
      for (;;) {
        const { waiting, running } = webhooks.dispatcher.stats();
        if (waiting + running === 0) break;
        await Bun.sleep(1);
      }
      await trust.health.refresh();
    };
    const send = async (request: Request): Promise<Response> => {
      tick();
      const response = await app.fetch(request, PEER);
      await settle();
      return response;
    };
    const document: unknown = await (await send(new Request(`${ORIGIN}/openapi.json`))).json();
    const recorder = new Recorder(document, send, TRUST_PROBLEMS);
    await tryFromTop(ORIGIN, document, { apiKey: DEMO_API_KEY }, recorder.sendFirst);
    await sendTrustRequests(recorder, trust);
    await Bun.sleep(RESULTS_MS);
    await recorder.ask(`GET /api/v1/webhooks/${DEMO_WEBHOOK_ID}/deliveries`, { key: DEMO_API_KEY });
    await recordHealth(recorder);
    const { verifyCredential, ...examples } = recorder.examples();
    // The credential to verify is that of the example that issues one.
    const body = recorder.responseOf('getReputationCredential 200');
    return { ...examples, verifyCredential: { ...verifyCredential, body } };
  } finally {
    await demo.close();
    directory.release();
  }
}

/** Records the health of a service that is no demonstration, and of one whose database was deleted. */
async function recordHealth(recorder: Recorder): Promise<void> {
  const directory = takeDataDirectory(':memory:');
  const { config, log, ...options } = environmentOf(directory, recordingClock().clock);
  const service = await openTrustService(directory, config, log, options);
  try {
    for (const isDamaged of [false, true]) {
      if (isDamaged) rmSync(join(directory.path, trustDatabase.name));
      await service.trust.health.refresh();
      const request = new Request(`${ORIGIN}/api/health`);
      await recorder.record(request, await service.app('/').fetch(request, PEER), true);
    }
  } finally {
    await service.close();
    directory.release();
  }
}

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import type { OperationExamples } from '../../src/platform/http/openapi/openapi.ts';
import { openStaffingDemo } from '../../src/staffing/demo/open.ts';
import { DEMO_ADMIN_TOKEN, DEMO_KEY } from '../../src/staffing/http/example-ids.ts';
import { staffingModules } from '../../src/staffing/service/modules.ts';
import { openStaffingService } from '../../src/staffing/service/service.ts';
import { staffingDocument } from '../../test/support/openapi.ts';
import { giveSampleRegistry } from '../../test/support/sample-registry.ts';
import { tryFromTop } from '../../test/support/try-it-out.ts';
import { environmentOf, ORIGIN, PEER, recordingClock } from './environment.ts';
import { Recorder } from './recorder.ts';

const API = '/api/staffing/partner/v1';

/** Records the examples of the staffing service. */
export async function recordStaffing(): Promise<OperationExamples> {
  const { clock, tick } = recordingClock();
  const directory = takeDataDirectory(':memory:');
  giveSampleRegistry(directory.path);
  const modules = staffingModules.map((module) => ({ ...module, examples: async () => ({ default: {} }) }));
  const demo = await openStaffingDemo(environmentOf(directory, clock), modules);
  try {
    const app = demo.app('/');
    const send = async (request: Request): Promise<Response> => {
      tick();
      await demo.staffing.health.refresh();
      return app.fetch(request, PEER);
    };
    const document = await staffingDocument(async (path) => ({
      body: await (await send(new Request(ORIGIN + path))).json(),
    }));
    const recorder = new Recorder(document, send);
    const tokens = { apiKey: DEMO_KEY, adminToken: DEMO_ADMIN_TOKEN };
    await tryFromTop(ORIGIN, document, tokens, recorder.sendFirst);
    const requisition = { ...Object(recorder.bodyOf(`POST ${API}/jobs`)), external_id: 'ats-4711' };
    // The same external_id returns the same requisition.
    for (let times = 0; times < 2; times++) {
      await recorder.ask(`POST ${API}/jobs`, { key: DEMO_KEY, body: requisition });
    }
    await recordOrdinaryService(recorder);
    return recorder.examples();
  } finally {
    await demo.close();
    directory.release();
  }
}

/** Records what a demonstration does not do: sending keys by mail, and its health without a registry. */
async function recordOrdinaryService(recorder: Recorder): Promise<void> {
  const mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, callback) => void stream.on('end', () => callback()).resume(),
  });
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
  const address = mailServer.server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const directory = takeDataDirectory(':memory:');
  giveSampleRegistry(directory.path);
  const { config, log, ...options } = environmentOf(directory, recordingClock().clock, {
    'smtp.url': `smtp://127.0.0.1:${port}`,
    'smtp.from': 'keys@registry.example',
  });
  const service = await openStaffingService(directory, config, log, options);
  const send = async (request: Request): Promise<void> => {
    await service.staffing.health.refresh();
    await recorder.record(request, await service.app('/').fetch(request, PEER), true);
  };
  try {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(recorder.bodyOf(`POST ${API}/sandbox-keys`));
    await send(new Request(`${ORIGIN}${API}/sandbox-keys`, { method: 'POST', headers, body }));
    await send(new Request(`${ORIGIN}/api/health`));
    rmSync(join(directory.path, 'registry'), { recursive: true });
    await send(new Request(`${ORIGIN}/api/health`));
  } finally {
    await service.close();
    directory.release();
    await new Promise<void>((resolve) => mailServer.close(resolve));
  }
}

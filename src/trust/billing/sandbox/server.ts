import type { Config } from '../../../platform/config/setting.ts';
import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import { noticeOf } from '../../../platform/http/openapi/demonstration.ts';
import type { ServerPart } from '../../../platform/module.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { ContextOf, Running, Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { processorSettings } from '../processor/settings.ts';
import { onWake } from './outbox.ts';
import { portalRoutes } from './portal-routes.ts';
import { deleteOldSessions } from './retention.ts';
import { sandboxRoutes } from './routes.ts';
import { webhookSecret } from './secret.ts';
import { countAllEvents, countSessions } from './store.ts';

/** The interval of looking for events that are due again. New ones are sent at once. */
const SEND_EVERY_MS = 1000;

const isServed = (config: Config): boolean => processorSettings.processor.in(config) === 'sandbox';

export const server = {
  routes: ({
    trust,
    auth,
    demonstration,
    config,
  }: Serving<ContextOf<typeof sandboxRoutes> & ContextOf<typeof portalRoutes>, RouteAuth>) =>
    isServed(config)
      ? [
          sandboxRoutes(trust, auth, noticeOf(demonstration)),
          portalRoutes(trust, auth, noticeOf(demonstration)),
        ]
      : [],
  tasks: ({
    trust,
    listener,
    config,
  }: Running<ContextOf<typeof deleteOldSessions> & { store: Store; masterKey: MasterKey }>) =>
    !isServed(config)
      ? []
      : [
          ...(listener === null
            ? []
            : [
                {
                  name: 'send the events of the sandbox',
                  everyMs: SEND_EVERY_MS,
                  waitsForClock: false,
                  async run() {
                    // The package that signs is loaded for the first event, not for a start.
                    if ((await trust.store.read(countAllEvents)) === 0) return;
                    const { sendEvents } = await import('./sender.ts');
                    await sendEvents({ ...trust, listener, secret: webhookSecret(trust.masterKey) });
                  },
                  onSchedule: (runIn: (ms: number) => void) => onWake(trust.store, runIn),
                },
              ]),
          {
            name: 'delete old sessions of the sandbox',
            everyMs: 600_000,
            waitsForClock: true,
            run: () => deleteOldSessions(trust),
          },
        ],
  metrics: ({ trust, config }: Running<{ store: Store }>) =>
    !isServed(config)
      ? []
      : [
          {
            name: 'countersign_sandbox_sessions',
            help: 'Checkout sessions of the sandbox processor that are stored.',
            labels: [],
            read: async () => [{ labels: {}, value: await trust.store.read(countSessions) }],
          },
          {
            name: 'countersign_sandbox_events_waiting',
            help: 'Events of the sandbox processor that the service has not acknowledged.',
            labels: [],
            read: async () => [{ labels: {}, value: await trust.store.read(countAllEvents) }],
          },
        ],
} satisfies ServerPart<never, never, never>;

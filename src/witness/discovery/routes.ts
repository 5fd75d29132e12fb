import type { Config } from '../../platform/config/setting.ts';
import type { HealthMonitor } from '../../platform/monitoring/health.ts';
import { formatVerifierKey, type VerifierKey } from '../../proof/log/note.ts';
import { publicReads } from '../checkpoints/routes.ts';
import type { Identity } from '../identity/identity.ts';
import { READ, text, type WitnessRoute } from '../route.ts';

/** The services whose state is public. */
interface DiscoveryServices {
  health: HealthMonitor;
  identity: Identity;
  logs: ReadonlyMap<string, readonly VerifierKey[]>;
}

export const discoveryRoutes = ({
  witness,
  config,
}: {
  witness: DiscoveryServices;
  config: Config;
}): WitnessRoute[] => [
  {
    path: '/health',
    // `countersign healthcheck` requests /api/health.
    pattern: /^\/(?:api\/)?health$/,
    methods: READ,
    policy: null,
    async handle() {
      const { isHealthy, problems } = witness.health.current;
      return isHealthy ? text(200, 'healthy') : text(503, problems.join('\n'));
    },
  },
  {
    path: '/',
    methods: READ,
    policy: publicReads(config),
    handle: async () => text(200, page(witness)),
  },
];

/** Formats the page for clients that want to trust this witness: its keys and the logs that it cosigns. */
function page({ identity, logs }: DiscoveryServices): string {
  return [
    `${identity.name} is a transparency log witness (c2sp.org/tlog-witness).`,
    '',
    'Keys:',
    ...identity.verifiers.map((key) => `  ${formatVerifierKey(key)}`),
    '',
    'Logs:',
    ...[...logs.keys()].map((origin) => `  ${origin}`),
  ].join('\n');
}

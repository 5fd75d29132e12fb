import { formatVerifierKey } from '../../proof/log/note.ts';
import { publicReads } from '../checkpoints/routes.ts';
import type { WitnessContext } from '../context.ts';
import type { WitnessRunning } from '../module.ts';
import { READ, text, type WitnessRoute } from '../route.ts';

export const discoveryRoutes = ({ witness, config }: WitnessRunning): WitnessRoute[] => [
  {
    path: '/health',
    // The longer one is where `countersign healthcheck` asks.
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

/** What somebody needs who wants to trust it. */
function page({ identity, logs }: WitnessContext): string {
  return [
    `${identity.name} is a witness of transparency logs (c2sp.org/tlog-witness).`,
    '',
    'Its keys:',
    ...identity.verifiers.map((key) => `  ${formatVerifierKey(key)}`),
    '',
    'It cosigns:',
    ...[...logs.keys()].map((origin) => `  ${origin}`),
  ].join('\n');
}

import type { Config } from '../../platform/config/setting.ts';
import { readBody } from '../../platform/http/request/body.ts';
import type { RateLimit } from '../../platform/http/request/rate-limits.ts';
import { HEADERS, READ, TEXT, text, type WitnessRoute } from '../route.ts';
import { addCheckpoint, type CosigningServices, newestNote } from './add.ts';
import { checkpointsSettings } from './settings.ts';

/** Large enough for a checkpoint with 16 ML-DSA-44 signatures and the longest proof. */
const MAX_BODY_BYTES = 65_536;

/** Returns the rate limit that all public reads of one client address share. */
export const publicReads = (config: Config): RateLimit => ({
  name: 'public-reads',
  requests: checkpointsSettings.publicReads.in(config),
  seconds: 60,
});

export const checkpointRoutes = ({
  witness,
  config,
}: {
  witness: CosigningServices;
  config: Config;
}): WitnessRoute[] => [
  {
    path: '/add-checkpoint',
    methods: ['POST'],
    policy: { name: 'submissions', requests: checkpointsSettings.submissions.in(config), seconds: 60 },
    async handle(request) {
      const submitted = await readBody(request, MAX_BODY_BYTES);
      const { status, body, contentType } = await addCheckpoint(witness, submitted);
      return new Response(body, { status, headers: { ...HEADERS, 'content-type': contentType ?? TEXT } });
    },
  },
  {
    path: '/:origin/checkpoint',
    pattern: /^\/([0-9a-f]{64})\/checkpoint$/,
    methods: READ,
    policy: publicReads(config),
    async handle(_request, originHash = '') {
      const note = await newestNote(witness, originHash);
      if (note === null) return text(404, 'this witness has cosigned no checkpoint of this log');
      return new Response(note, { headers: { ...HEADERS, 'cache-control': 'public, max-age=1' } });
    },
  },
];

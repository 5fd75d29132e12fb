import { Elysia } from 'elysia';
import { preferredType } from '../../../platform/http/request/accept.ts';
import { matchesEtag } from '../../../platform/http/request/conditional.ts';
import { ETAG_HEADER, NotModified } from '../../../platform/http/schema.ts';
import { clockErrors } from '../../clock/errors.ts';
import { commonErrors } from '../../http/errors.ts';
import { PUBLIC, responses, STORED } from '../../http/schema.ts';
import type { StatementContext } from '../../log/keys/signing/statements.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import type { Avatars } from './avatar.ts';
import type { CardContext } from './card-facts.ts';
import { agentAttestation, agentCard } from './get-agent-attestation.ts';
import { artifactAttestation, artifactCard } from './get-artifact-attestation.ts';
import {
  ArtifactPath,
  ArtifactQuery,
  ArtifactResponse,
  AvatarPath,
  AvatarSvg,
  BadgePath,
  BadgeQuery,
  BadgeResponse,
  Redirect,
} from './schema.ts';

const SVG = 'image/svg+xml';
/** A picture runs no scripts and loads nothing, also when a browser opens it directly. */
const CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
/** Short, because an agent may set a photo at any time. */
const AVATAR_CACHING = 'public, max-age=300';
/** Shorter, because an agent may be revoked. The card shows the minute in which it was measured. */
const CARD_CACHING = 'public, max-age=60';

const pictureHeaders = (etag: string, caching: string) => ({
  etag,
  'cache-control': caching,
  'content-type': SVG,
  'content-security-policy': CSP,
});

/** The parts of the service that the routes of pictures and attestations use. */
type AttestationContext = StatementContext & CardContext & { avatars: Avatars };

export const attestationRoutes = (context: AttestationContext, { open }: RouteAuth) =>
  new Elysia({ tags: ['Attestations'] })
    .use(open)
    .get(
      '/api/v1/avatar/:hash',
      async ({ params: { hash }, request, set, status }) => {
        const known = context.avatars.get(hash);
        const avatar = known instanceof Promise ? await known : known;
        if ('photo' in avatar) {
          set.headers['cache-control'] = AVATAR_CACHING;
          set.headers.location = avatar.photo;
          return status(302, '');
        }
        const { svg, etag } = avatar;
        Object.assign(set.headers, pictureHeaders(etag, AVATAR_CACHING));
        return matchesEtag(request.headers.get('if-none-match'), etag) ? status(304, undefined) : svg;
      },
      {
        open: 'free',
        params: AvatarPath,
        response: responses(
          { 200: AvatarSvg, 302: Redirect, 304: NotModified },
          commonErrors.validation_error,
        ),
        detail: {
          operationId: 'getAvatar',
          'x-answer-headers': {
            ETag: ETAG_HEADER,
            'Cache-Control': 'Five minutes.',
          },
          summary: 'Get the picture of an agent',
          description:
            'Redirects to the photo that the agent set with its signature; the service neither fetches nor stores it. Without a ' +
            'photo, returns an identicon that is computed only from the hash, also for hashes that belong to no agent. The ' +
            'identicon follows `prefers-color-scheme`. Cacheable for five minutes.',
          security: [],
        },
      },
    )
    .get(
      '/api/v1/badge/:hash/attestation',
      async ({ params: { hash }, query, request, set, status }) => {
        if (query.format === 'json') return agentAttestation(context, hash);
        const { svg, etag } = await agentCard(context, hash);
        Object.assign(set.headers, pictureHeaders(etag, CARD_CACHING));
        return matchesEtag(request.headers.get('if-none-match'), etag) ? status(304, undefined) : svg;
      },
      {
        open: 'publicReads',
        params: BadgePath,
        query: BadgeQuery,
        response: responses(
          { 200: BadgeResponse, 304: NotModified },
          PUBLIC,
          STORED,
          clockErrors.clock_wrong,
          commonErrors.not_found,
        ),
        detail: {
          operationId: 'getAgentAttestation',
          'x-answer-headers': {
            ETag: 'The ETag of a card. If-None-Match with it returns 304.',
            'Cache-Control': 'One minute for a card. A signed response is not cacheable.',
          },
          summary: "Get an agent's current numbers, as a card or signed",
          description:
            'A card for a README: `![](…/api/v1/badge/{hash}/attestation)`. It shows the name, ISSUED or REVOKED, the score, the ' +
            'success rate over 30 UTC days with the number of events, the number of items of evidence, the service that measured, ' +
            'and the time, to the minute. The card is not signed, so it can be forged. Rely on `format=json`: the same values, ' +
            'signed by the key of purpose `credentials` over the digest of all other members except kid, and valid for five ' +
            "minutes. 503 `clock_wrong` while the server's clock is known to be wrong.",
          security: [],
        },
      },
    )
    .get(
      '/api/v1/artifacts/:commitment/:artifact/attestation',
      async ({ params: { commitment, artifact }, query, request, set, status }) => {
        const accepted = preferredType(request.headers.get('accept'), ['application/json', SVG]);
        const isCard = query.format === undefined ? accepted === SVG : query.format === 'svg';
        if (!isCard) {
          const statement = await artifactAttestation(context, commitment, artifact);
          set.headers.vary = 'Accept';
          return statement;
        }
        const { svg, etag } = await artifactCard(context, commitment, artifact);
        Object.assign(set.headers, pictureHeaders(etag, CARD_CACHING), { vary: 'Accept' });
        return matchesEtag(request.headers.get('if-none-match'), etag) ? status(304, undefined) : svg;
      },
      {
        open: 'publicReads',
        params: ArtifactPath,
        query: ArtifactQuery,
        response: responses(
          { 200: ArtifactResponse, 304: NotModified },
          PUBLIC,
          STORED,
          clockErrors.clock_wrong,
          commonErrors.not_found,
        ),
        detail: {
          operationId: 'getArtifactAttestation',
          'x-answer-headers': {
            ETag: 'The ETag of a card. If-None-Match with it returns 304.',
            'Cache-Control': 'One minute for a card. A signed response is not cacheable.',
            Vary: 'Accept',
          },
          summary: 'Attest that an agent produced an artifact',
          description:
            'States whether signed evidence of the agent contains an artifact: a commit by its SHA (40 or 64 hexadecimal ' +
            'characters), or an item of evidence by its hash. 404 if not. Returns JSON, signed by the key of purpose `credentials` ' +
            'over the digest of all other members except kid. Returns a card if Accept prefers image/svg+xml, or with `format=svg`. ' +
            "All other values of Accept are ignored. 503 `clock_wrong` while the server's clock is known to be wrong.",
          security: [],
        },
      },
    );

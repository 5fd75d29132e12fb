import { Elysia } from 'elysia';
import { preferredType } from '../../../platform/http/request/accept.ts';
import { matchesEtag } from '../../../platform/http/request/conditional.ts';
import { ETAG_HEADER, NotModified } from '../../../platform/http/schema.ts';
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
/** A picture runs no scripts and loads nothing, even when a browser opens it directly. */
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
        response: { 200: AvatarSvg, 302: Redirect, 304: NotModified },
        detail: {
          operationId: 'getAvatar',
          'x-response-headers': {
            ETag: ETAG_HEADER,
            'Cache-Control': 'Five minutes.',
          },
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
        response: { 200: BadgeResponse, 304: NotModified },
        detail: {
          operationId: 'getAgentAttestation',
          'x-response-headers': {
            ETag: 'The ETag of a card. If-None-Match with it returns 304.',
            'Cache-Control': 'One minute for a card. A signed response is not cacheable.',
          },
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
        response: { 200: ArtifactResponse, 304: NotModified },
        detail: {
          operationId: 'getArtifactAttestation',
          'x-response-headers': {
            ETag: 'The ETag of a card. If-None-Match with it returns 304.',
            'Cache-Control': 'One minute for a card. A signed response is not cacheable.',
            Vary: 'Accept',
          },
          security: [],
        },
      },
    );

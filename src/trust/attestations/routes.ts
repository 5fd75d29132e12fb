import { Elysia } from 'elysia';
import { preferredType } from '../../platform/http/request/accept.ts';
import { matchesEtag } from '../../platform/http/request/conditional.ts';
import type { TrustAuth } from '../auth.ts';
import { PUBLIC, responses, STORED } from '../http/schema.ts';
import type { StatementContext } from '../keys/signing/statements.ts';
import { agentAttestation, agentCard } from './agent.ts';
import { artifactAttestation, artifactCard } from './artifact.ts';
import type { Avatars } from './avatar.ts';
import type { CardContext } from './card-facts.ts';
import {
  ArtifactPath,
  ArtifactQuery,
  ArtifactResponse,
  AvatarPath,
  AvatarSvg,
  BadgePath,
  BadgeQuery,
  BadgeResponse,
  NotModified,
  Redirect,
} from './schema.ts';

const SVG = 'image/svg+xml';
/** A picture runs nothing and loads nothing, also when it is opened by itself. */
const CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
/** An agent may set a photo at any time. */
const FOR_MINUTES = 'public, max-age=300';
/** A card may say that an agent is revoked, and says by itself to which minute it is true. */
const FOR_A_MINUTE = 'public, max-age=60';

const drawnAs = (etag: string, caching: string) => ({
  etag,
  'cache-control': caching,
  'content-type': SVG,
  'content-security-policy': CSP,
});

/** What the routes of pictures and attestations work with. */
type AttestationContext = StatementContext & CardContext & { avatars: Avatars };

export const attestationRoutes = (context: AttestationContext, { open }: TrustAuth) =>
  new Elysia({ tags: ['Attestations'] })
    .use(open)
    .get(
      '/api/v1/avatar/:hash',
      async ({ params: { hash }, request, set, status }) => {
        const known = context.avatars.get(hash);
        const avatar = known instanceof Promise ? await known : known;
        if ('photo' in avatar) {
          set.headers['cache-control'] = FOR_MINUTES;
          set.headers.location = avatar.photo;
          return status(302, '');
        }
        const { svg, etag } = avatar;
        Object.assign(set.headers, drawnAs(etag, FOR_MINUTES));
        return matchesEtag(request.headers.get('if-none-match'), etag) ? status(304, undefined) : svg;
      },
      {
        open: 'free',
        params: AvatarPath,
        response: responses({ 200: AvatarSvg, 302: Redirect, 304: NotModified }, 'validation_error'),
        detail: {
          operationId: 'getAvatar',
          'x-answer-headers': {
            ETag: 'Of what is answered; If-None-Match with it is a 304.',
            'Cache-Control': 'Five minutes.',
          },
          summary: 'The picture of an agent',
          description:
            'Leads to the photo that the agent set by its signature; the service neither fetches nor stores it. While there ' +
            'is none, an identicon that is made from the hash alone and is the same for ever; of any other hash of 64 ' +
            'hexadecimal characters as well. It follows `prefers-color-scheme`. Cacheable for five minutes.',
          security: [],
        },
      },
    )
    .get(
      '/api/v1/badge/:hash/attestation',
      async ({ params: { hash }, query, request, set, status }) => {
        if (query.format === 'json') return agentAttestation(context, hash);
        const { svg, etag } = await agentCard(context, hash);
        Object.assign(set.headers, drawnAs(etag, FOR_A_MINUTE));
        return matchesEtag(request.headers.get('if-none-match'), etag) ? status(304, undefined) : svg;
      },
      {
        open: 'publicReads',
        params: BadgePath,
        query: BadgeQuery,
        response: responses({ 200: BadgeResponse, 304: NotModified }, PUBLIC, STORED, 'not_found'),
        detail: {
          operationId: 'getAgentAttestation',
          'x-answer-headers': {
            ETag: 'Of a card; If-None-Match with it is a 304.',
            'Cache-Control': 'A minute; what is signed is not stored.',
          },
          summary: 'How an agent stands, as a card or signed',
          description:
            'A card for a README: `![](…/api/v1/badge/{hash}/attestation)`. Name, ISSUED or REVOKED, score, success rate over 30 ' +
            'UTC days with the number of events behind it, items of evidence, who measured it and when, to the minute. Nobody ' +
            'signed the card, and anybody can draw one: what may be relied on is `format=json`, the same figures signed by ' +
            'the key of purpose `credentials` over the digest of the other members but kid, good for five minutes; 503 `overloaded` ' +
            'while the clock of the server is known to be wrong.',
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
        Object.assign(set.headers, drawnAs(etag, FOR_A_MINUTE), { vary: 'Accept' });
        return matchesEtag(request.headers.get('if-none-match'), etag) ? status(304, undefined) : svg;
      },
      {
        open: 'publicReads',
        params: ArtifactPath,
        query: ArtifactQuery,
        response: responses({ 200: ArtifactResponse, 304: NotModified }, PUBLIC, STORED, 'not_found'),
        detail: {
          operationId: 'getArtifactAttestation',
          'x-answer-headers': {
            ETag: 'Of a card; If-None-Match with it is a 304.',
            'Cache-Control': 'A minute; what is signed is not stored.',
            Vary: 'Accept',
          },
          summary: 'That an agent made something',
          description:
            "Whether an agent's signed evidence holds an artifact: a commit by its SHA (40 or 64 hexadecimal characters), or an " +
            'item of evidence by its hash. 404 when it does not. JSON, signed by the key of purpose `credentials` over the digest ' +
            'of the other members but kid; a card where Accept prefers image/svg+xml, as the images of a page do, or with ' +
            '`format=svg`. What Accept wants otherwise is not looked at. Nothing is signed, 503 `overloaded`, while the clock of the ' +
            'server is known to be wrong.',
          security: [],
        },
      },
    );

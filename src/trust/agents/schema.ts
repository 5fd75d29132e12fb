import { type Static, Type } from '@sinclair/typebox';
import { PHOTO_TYPES } from '../../../db/trust/agents-enums.ts';
import {
  characters,
  dateTime,
  hexString,
  limitParameter,
  named,
  nullable,
  oneOf,
  plainName,
  reasonText,
  strictObject,
} from '../../platform/http/schema.ts';
import { POW_ALGORITHM } from '../../proof/agent/proof-of-work.ts';
import { AgentState } from '../http/enumerations.ts';
import { DEMO_OTHER_OPERATOR_ID } from '../http/example-ids.ts';
import { apiKeyFields } from '../operators/schema.ts';
import { EXAMPLE_COMMITMENT, EXAMPLE_KEY } from './example-agent.ts';
import { Frozen } from './freeze-schema.ts';

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

const publicKey = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: "The agent's Ed25519 public key, in hexadecimal.",
  examples: [EXAMPLE_KEY],
  'x-message': 'must be 64 lower-case hexadecimal characters',
});
const commitment = hexString(32, "The agent's subject commitment.");
const context = characters(
  128,
  CONTROL,
  'What the key is used for. The same key with another context is another agent. Default `passport-v1`.',
  'passport-v1',
);
const name = plainName('The name of the agent, which is public.', 'Invoice clerk');
const nonce = Type.String({
  description:
    'The nonce to sign: `chal_` and base64url of the canonical JSON of `{purpose, host, subject_commitment, expires_at, random}`. ' +
    'Sign it only if purpose, host and subject_commitment are what you expect.',
});
const givenNonce = (description: string) => Type.String({ minLength: 1, maxLength: 1024, description });

const agentInPath = Type.String({
  maxLength: 256,
  description: "The agent's subject commitment.",
  examples: [EXAMPLE_COMMITMENT],
});

export const AgentPath = strictObject({ id: agentInPath });

export const CommitmentPath = strictObject({ commitment: agentInPath });

export const AgentListQuery = strictObject({
  limit: limitParameter('Agents per page.', 50),
  cursor: Type.Optional(Type.String({ maxLength: 512, description: '`next_cursor` of the previous page.' })),
});
export type AgentListQuery = Static<typeof AgentListQuery>;

export const SponsoredAgent = named(
  'SponsoredAgent',
  strictObject({
    subject_commitment: commitment,
    name: nullable(name),
    state: AgentState,
    issued_at: dateTime('When the agent enrolled.'),
    revoked_at: nullable(dateTime('When it was revoked; null if it was not.')),
    frozen: Frozen,
  }),
);
export type SponsoredAgentResponse = Static<typeof SponsoredAgent>;
export const AgentListResponse = named(
  'AgentPage',
  strictObject({ agents: Type.Array(SponsoredAgent), next_cursor: nullable(Type.String()) }),
);

export const StartRequest = named(
  'StartEnrollmentRequest',
  strictObject(
    { public_key: publicKey, context: Type.Optional(context), name: Type.Optional(name) },
    { examples: [{ public_key: EXAMPLE_KEY, name: 'Invoice clerk' }] },
  ),
);

export const StartResponse = named(
  'EnrollmentChallenge',
  strictObject({
    subject_commitment: commitment,
    status: Type.Literal('PENDING'),
    challenge_nonce: nonce,
    expires_at: dateTime('The time when the challenge expires, five minutes after it was created.'),
  }),
);

export const CompleteRequest = named(
  'CompleteEnrollmentRequest',
  strictObject(
    {
      subject_commitment: commitment,
      signature: hexString(64, "Ed25519 signature by the agent's key over the UTF-8 of challenge_nonce."),
      challenge_nonce: Type.Optional(
        givenNonce('The nonce that was signed. Without it, the newest challenges of the agent are tried.'),
      ),
    },
    { examples: [{ subject_commitment: EXAMPLE_COMMITMENT, signature: '0'.repeat(128) }] },
  ),
);

const photo = {
  photo_url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description:
      'The https URL of the photo. The service never fetches it. In a request, null clears the photo.',
  }),
  photo_content_sha256: hexString(32, 'SHA-256 of the bytes of the photo.'),
  photo_mime_type: oneOf(PHOTO_TYPES, { description: 'The media type of the photo.' }),
};

/** The photo that an agent presents itself with. */
export const Presentation = named(
  'Presentation',
  strictObject(photo, { description: 'The photo of the agent, which the agent signed.' }),
);

const PresentationView = nullable(Presentation);

export const PassportResponse = named(
  'Passport',
  strictObject({
    type: Type.Literal('passport'),
    passport_id: Type.String({ description: 'The id of the passport: `pass_` and a UUIDv7 without dashes.' }),
    subject_commitment: commitment,
    public_key: publicKey,
    did: Type.String({ description: 'The public key of the agent as a did:key.' }),
    context: Type.String({ description: 'What the key is used for: the context of the enrollment.' }),
    name: nullable(Type.String({ description: 'The name of the agent. null if it has none.' })),
    state: AgentState,
    issued_at: dateTime('The time when the agent enrolled.'),
    as_of: dateTime('The time of this passport.'),
    valid_until: dateTime(
      '24 hours after as_of. After it the passport does not count, because the agent may have been revoked.',
    ),
    issuer: Type.String({ description: 'The DID of this service.' }),
    sponsor: nullable(
      Type.String({
        description:
          'The id of the operator that sponsors the agent, masked. null if the agent has no sponsor.',
      }),
    ),
    presentation: PresentationView,
    evidence: strictObject(
      {
        count: Type.Integer({ minimum: 0, description: 'The number of items in the chain.' }),
        head: nullable(hexString(32, 'The event_commitment_hash of the last item. null without items.')),
      },
      {
        description:
          "The agent's chain of evidence as of as_of. Each item names the one before it, so the head commits to all items and their order.",
      },
    ),
    signature: hexString(64, 'Ed25519 signature over the digest of all other members except kid.'),
    kid: Type.String({ description: 'The id of the signing key (purpose `credentials`).' }),
  }),
);

/** An agent's authorization of a request: one member of the request body. */
export const AgentAuthShape = named(
  'AgentAuth',
  strictObject(
    {
      commitment,
      nonce: Type.String({
        pattern: '^[!-~]{16,64}$',
        description: 'A value that the caller chooses. It can be used only once.',
        'x-message': 'must be 16 to 64 printable ASCII characters without space',
      }),
      expires_at: dateTime('The time when the authorization expires, at most 10 minutes in the future.'),
      signature: hexString(
        64,
        'Ed25519 signature by the key of the agent over the digest of {type: "agent-auth", method, path, body (without agent_auth), audience, commitment, nonce, expires_at}; ' +
          '`audience` is in `GET /api/v1/public-key`.',
      ),
    },
    { description: 'The agent’s authorization of this request, and of no other.' },
  ),
);

export const PresentationRequest = named(
  'SetPresentationRequest',
  strictObject(
    {
      photo_url: Type.Union([photo.photo_url, Type.Null()], {
        'x-message': 'must be an https URL of at most 2048 characters, or null',
      }),
      photo_content_sha256: Type.Optional(
        Type.Union([photo.photo_content_sha256, Type.Null()], {
          'x-message': 'must be 64 lower-case hexadecimal characters, or null',
        }),
      ),
      photo_mime_type: Type.Optional(
        Type.Union([photo.photo_mime_type, Type.Null()], {
          'x-message': `must be one of ${PHOTO_TYPES.join(', ')}, or null`,
        }),
      ),
      signature: hexString(
        64,
        "Ed25519 signature by the agent's key over the digest of {subject_commitment, photo_url, photo_content_sha256, photo_mime_type}.",
      ),
      agent_auth: Type.Optional(AgentAuthShape),
    },
    {
      examples: [
        {
          photo_url: 'https://agents.example/clerk.png',
          photo_content_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          photo_mime_type: 'image/png',
          signature:
            'e0f812a23a24984ce1a6536f6409077c88ad66742d93ef0a85814fb6c0163c7942b73a717c6a378e443f4437c1c339532b519b599dc9c531ccbbd15cf31d4f02',
        },
      ],
    },
  ),
);

export const PresentationResponse = named(
  'AgentPresentation',
  strictObject({
    subject_commitment: commitment,
    presentation: PresentationView,
  }),
);

export const ChallengeRequest = named(
  'AutonomousChallengeRequest',
  strictObject({ public_key: publicKey }, { examples: [{ public_key: EXAMPLE_KEY }] }),
);

const powNonce = characters(
  64,
  CONTROL,
  'The solution: sha256(challenge_nonce + ":" + pow_nonce) in hexadecimal begins with pow_difficulty zeros.',
);

export const ChallengeResponse = named(
  'ProofOfWorkChallenge',
  strictObject({
    challenge_nonce: nonce,
    pow_difficulty: Type.Integer({
      minimum: 0,
      maximum: 64,
      description: 'The number of zeros with which the hexadecimal SHA-256 must begin.',
    }),
    pow_algorithm: Type.Literal(POW_ALGORITHM),
    expires_at: dateTime('The time when the challenge expires, two minutes after it was created.'),
  }),
);

export const ProvisionRequest = named(
  'ProvisionAgentRequest',
  strictObject(
    {
      public_key: publicKey,
      challenge_nonce: givenNonce('The challenge_nonce of the challenge.'),
      pow_nonce: powNonce,
      signature: hexString(
        64,
        'Ed25519 signature by the agent\'s key over the 64 characters of sha256(challenge_nonce + ":" + pow_nonce + ":" + public_key).',
      ),
      display_name: Type.Optional(name),
      context: Type.Optional(context),
    },
    {
      examples: [
        {
          public_key: EXAMPLE_KEY,
          challenge_nonce: `chal_${'A'.repeat(43)}`,
          pow_nonce: '0',
          signature: '0'.repeat(128),
          display_name: 'Invoice clerk',
        },
      ],
    },
  ),
);

const operatorId = Type.String({ description: 'The full id of the operator that sponsors the agent.' });

export const ProvisionResponse = named(
  'ProvisionedAgent',
  strictObject({
    operator_id: operatorId,
    api_key: Type.String({ description: 'The holder key for the agent. Only this response contains it.' }),
    role: Type.Literal('HOLDER'),
    subject_commitment: commitment,
    did: Type.String({ description: 'The public key of the agent as a did:key.' }),
    passport: PassportResponse,
  }),
);

export const RevokeAgentRequest = Type.Optional(
  named(
    'RevokeAgentRequest',
    strictObject(
      {
        reason: Type.Optional(reasonText('The reason. The service stores it and never shows it.')),
        agent_auth: Type.Optional(AgentAuthShape),
      },
      { examples: [{ reason: 'its key was lost' }] },
    ),
  ),
);

export const SponsorRequest = named(
  'SetSponsorRequest',
  strictObject(
    {
      operator_id: nullable(
        Type.String({
          maxLength: 128,
          description: 'The id of the operator that becomes the sponsor. null removes the sponsor.',
        }),
      ),
      agent_auth: Type.Optional(AgentAuthShape),
    },
    { examples: [{ operator_id: DEMO_OTHER_OPERATOR_ID }] },
  ),
);

export const NameRequest = named(
  'SetAgentNameRequest',
  strictObject(
    { name: nullable(name), agent_auth: Type.Optional(AgentAuthShape) },
    { examples: [{ name: 'Invoice clerk' }] },
  ),
);

export const HolderKeyRequest = named(
  'CreateHolderKeyRequest',
  strictObject(
    {
      revoke_others: Type.Optional(
        Type.Boolean({
          description: 'Whether to delete the other holder keys of the sponsor for the agent. Default false.',
        }),
      ),
      challenge_nonce: Type.Optional(
        givenNonce('Only for an agent without a sponsor: the challenge of autonomous/challenge for its key.'),
      ),
      pow_nonce: Type.Optional(powNonce),
      agent_auth: AgentAuthShape,
    },
    {
      examples: [
        {
          revoke_others: true,
          agent_auth: {
            commitment: EXAMPLE_COMMITMENT,
            nonce: 'a1b2c3d4e5f60718',
            expires_at: '2030-01-31T12:00:00Z',
            signature: '0'.repeat(128),
          },
        },
      ],
    },
  ),
);

export const HolderKeyResponse = named(
  'NewHolderKey',
  strictObject({
    operator_id: operatorId,
    ...apiKeyFields,
    api_key: Type.String({ description: 'The holder key. Only this response contains it.' }),
    revoked_keys: Type.Integer({ minimum: 0, description: 'How many other holder keys were deleted.' }),
  }),
);

export type StartRequest = Static<typeof StartRequest>;
export type CompleteRequest = Static<typeof CompleteRequest>;
export type PresentationRequest = Static<typeof PresentationRequest>;
export type ProvisionRequest = Static<typeof ProvisionRequest>;
export type RevokeAgentRequest = Static<typeof RevokeAgentRequest>;
export type SponsorRequest = Static<typeof SponsorRequest>;
export type NameRequest = Static<typeof NameRequest>;
export type HolderKeyRequest = Static<typeof HolderKeyRequest>;
export type AgentAuth = Static<typeof AgentAuthShape>;

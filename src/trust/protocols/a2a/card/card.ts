import type { JsonObject } from '../../../../proof/encoding/json.ts';
import { skills } from '../skills/skills.ts';

/** The path of the JSON-RPC endpoint. */
export const ENDPOINT = '/api/v1/a2a/tasks';

/** The forms of the card: `0.3` has the security schemes of OpenAPI, `1.0` those of Protocol Buffers. */
export type CardForm = '0.3' | '1.0';

/** The name of the security scheme: an API key of this service as a bearer token. */
const SCHEME = 'bearer';
const KEY = 'An API key (`pp_…`) of an operator or of an agent, in the header Authorization.';
const MODES = ['text/plain', 'application/json'];

/** The facts about the service that the card shows. */
export interface CardFacts {
  /** The URL of the service for its clients. */
  url: string;
  /** The version of the program. */
  version: string;
}

/** Returns the members of the card that A2A 1.0 defines, without signatures. */
export function cardOfV1({ url, version }: CardFacts) {
  const endpoint = `${url}${ENDPOINT}`;
  return {
    name: 'Countersign trust service',
    description:
      'Verifies signed receipts of what AI agents did, looks up their reputation, checks whether an operator passes the gate, issues ' +
      'credentials, and hires agents with escrow. Send plain text, or data with the member `skill`.',
    // The same endpoint has both generations: the method names differ.
    supportedInterfaces: [
      { url: endpoint, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: endpoint, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
    provider: { organization: 'Countersign', url },
    version,
    documentationUrl: `${url}/swagger`,
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: false },
    securitySchemes: { [SCHEME]: { httpAuthSecurityScheme: { description: KEY, scheme: 'Bearer' } } },
    securityRequirements: [{ schemes: { [SCHEME]: {} } }],
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: skills.map(({ id, name, description, tags, examples }) => ({
      id,
      name,
      description,
      tags: [...tags],
      examples: [...examples],
    })),
  };
}

/**
 * Returns the whole card of a form, without signatures. Both forms have the members of both generations; they
 * differ where the same member has another shape.
 */
export function wholeCard(facts: CardFacts, form: CardForm): JsonObject {
  const endpoint = `${facts.url}${ENDPOINT}`;
  const { capabilities, ...card } = cardOfV1(facts);
  const older = {
    protocolVersion: '0.3.0',
    url: endpoint,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [{ url: endpoint, transport: 'JSONRPC' }],
    supportsAuthenticatedExtendedCard: false,
    security: [{ [SCHEME]: [] }],
  };
  if (form === '1.0') return { ...card, ...older, capabilities };
  return {
    ...card,
    ...older,
    capabilities: { ...capabilities, stateTransitionHistory: false },
    securitySchemes: { [SCHEME]: { type: 'http', scheme: 'bearer', description: KEY } },
    // The only member about security that 0.1 has.
    authentication: { schemes: [SCHEME] },
  };
}

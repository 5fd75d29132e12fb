import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  getServiceDidDocument: {
    '200': {
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
      id: 'did:web:trust.example',
      alsoKnownAs: [],
      verificationMethod: [
        {
          id: 'did:web:trust.example#TQsT_XqQgBwDo_F15TqCerDdGtxUO7DtSzWzIamegl4',
          type: 'Multikey',
          controller: 'did:web:trust.example',
          publicKeyMultibase: 'z6MkpL7QafjkfXH86z53pELwETtXAF2HQzRTuVT1atsCuzLL',
        },
        {
          id: 'did:web:trust.example#yA_o1_h5yM9k0B798M8hBWf4YMtsezYwsgBYxatXhfI',
          type: 'Multikey',
          controller: 'did:web:trust.example',
          publicKeyMultibase: 'z6MkiJfy1tk1KZrXuU64rpT1hT5CEr3C6wpxa5Tr9ZzEm8H6',
        },
        {
          id: 'did:web:trust.example#MVMmOHwmC24Eqs0RCt5ev3dhsDXWXnWlk_Q9-P33sWc',
          type: 'Multikey',
          controller: 'did:web:trust.example',
          publicKeyMultibase: 'z6Mkm5MMokZEhHkWPfCy8f6kbMqsPQPfuLQKLFuhQoFiT3b2',
        },
        {
          id: 'did:web:trust.example#Y8lzwRNfdkfttkykDzdx3ItZUrXdWLWDT7B4Jt4eAVc',
          type: 'Multikey',
          controller: 'did:web:trust.example',
          publicKeyMultibase: 'z6MkibH9zUkT3kAzHcCFfJq4S3hudFgB4wQaA9nLqWxv6z8B',
        },
        {
          id: 'did:web:trust.example#pfn_OoEdV6uzUd23Mfvd8Xu1EVqEIx9Nf-iQlLLHBLY',
          type: 'Multikey',
          controller: 'did:web:trust.example',
          publicKeyMultibase: 'z6Mkii3ifUMA71ZQz1GCNKbNjot9gL7jU6xZRvgRY7TvbYNs',
        },
        {
          id: 'did:web:trust.example#hmHjKuUDUCN3hSFDd0Q2NVuoI0EuFiGE8gLvhgv9gLc',
          type: 'Multikey',
          controller: 'did:web:trust.example',
          publicKeyMultibase: 'z6MkmAQ4zHBMM5rPvb3xFnT8CJDykusxkBEfXv6Vb3V1n946',
        },
      ],
      assertionMethod: ['did:web:trust.example#yA_o1_h5yM9k0B798M8hBWf4YMtsezYwsgBYxatXhfI'],
      service: [
        {
          id: 'did:web:trust.example#agent-card',
          type: 'A2AAgentCard',
          serviceEndpoint: 'https://trust.example/.well-known/agent-card.json',
        },
        {
          id: 'did:web:trust.example#keys',
          type: 'TransparencyKeys',
          serviceEndpoint: 'https://trust.example/api/v1/transparency/keys',
        },
      ],
    },
  },
  getJsonWebKeySet: {
    '200': {
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: 'OTuRcE6zP7ej3NVY7_a3oJg_SPRrGpwpJB3GL9aO8fE',
          kid: 'yA_o1_h5yM9k0B798M8hBWf4YMtsezYwsgBYxatXhfI',
          use: 'sig',
          alg: 'EdDSA',
        },
      ],
    },
  },
  getAgentDidDocument: {
    '200': {
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
      id: 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
      alsoKnownAs: [
        'did:web:trust.example:api:v1:anp:agents:8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
      ],
      verificationMethod: [
        {
          id: 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw#z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
          type: 'Multikey',
          controller: 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
          publicKeyMultibase: 'z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
        },
      ],
      authentication: [
        'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw#z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
      ],
      assertionMethod: [
        'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw#z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
      ],
      capabilityInvocation: [
        'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw#z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
      ],
      service: [
        {
          id: 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw#profile',
          type: 'AgentProfile',
          serviceEndpoint:
            'https://trust.example/api/v1/profiles/8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
        },
        {
          id: 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw#evidence',
          type: 'AgentEvidence',
          serviceEndpoint:
            'https://trust.example/api/v1/passport/agents/8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73/evidence',
        },
        {
          id: 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw#a2a',
          type: 'A2AService',
          serviceEndpoint: 'https://trust.example/.well-known/agent-card.json',
        },
        {
          id: 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw#credential',
          type: 'AgentReputationCredential',
          serviceEndpoint:
            'https://trust.example/api/v1/credentials/8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
        },
      ],
    },
  },
  getAgentWebDidDocument: {
    '200': {
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
      id: 'did:web:trust.example:api:v1:anp:agents:8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
      alsoKnownAs: ['did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw'],
      verificationMethod: [
        {
          id: 'did:web:trust.example:api:v1:anp:agents:8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73#z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
          type: 'Multikey',
          controller:
            'did:web:trust.example:api:v1:anp:agents:8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
          publicKeyMultibase: 'z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
        },
      ],
      authentication: [
        'did:web:trust.example:api:v1:anp:agents:8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73#z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
      ],
      assertionMethod: [
        'did:web:trust.example:api:v1:anp:agents:8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73#z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
      ],
      capabilityInvocation: [
        'did:web:trust.example:api:v1:anp:agents:8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73#z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
      ],
      service: [
        {
          id: 'did:web:trust.example:api:v1:anp:agents:8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73#profile',
          type: 'AgentProfile',
          serviceEndpoint:
            'https://trust.example/api/v1/profiles/8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
        },
        {
          id: 'did:web:trust.example:api:v1:anp:agents:8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73#evidence',
          type: 'AgentEvidence',
          serviceEndpoint:
            'https://trust.example/api/v1/passport/agents/8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73/evidence',
        },
        {
          id: 'did:web:trust.example:api:v1:anp:agents:8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73#a2a',
          type: 'A2AService',
          serviceEndpoint: 'https://trust.example/.well-known/agent-card.json',
        },
        {
          id: 'did:web:trust.example:api:v1:anp:agents:8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73#credential',
          type: 'AgentReputationCredential',
          serviceEndpoint:
            'https://trust.example/api/v1/credentials/8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
        },
      ],
    },
  },
};

import { Type } from '@sinclair/typebox';
import { named, strictObject } from '../../../platform/http/schema.ts';

/** The media type of a DID document in JSON-LD (W3C DID Core 1.0 section 6.3). */
export const DID_DOCUMENT_TYPE = 'application/did+ld+json';

const methodIds = (description: string) => Type.Array(Type.String(), { description });

/** A DID document. The document of the service has fewer relationships than that of an agent. */
export const DidDocumentResponse = {
  ...named(
    'DidDocument',
    strictObject({
      '@context': Type.Array(Type.String(), {
        description: 'The JSON-LD contexts: W3C DID Core and Multikey.',
      }),
      id: Type.String({ description: 'The DID of this document.' }),
      alsoKnownAs: Type.Array(Type.String(), { description: 'Other DIDs of the same subject.' }),
      verificationMethod: Type.Array(
        named(
          'VerificationMethod',
          strictObject({
            id: Type.String({ description: 'The DID URL of the key.' }),
            type: Type.Literal('Multikey'),
            controller: Type.String({ description: 'The DID whose key it is.' }),
            publicKeyMultibase: Type.String({
              description:
                'The Ed25519 key as Multikey: `z` and base58btc of the bytes ed 01 and the 32 bytes of the key.',
            }),
          }),
        ),
        { description: 'The public keys.' },
      ),
      authentication: Type.Optional(methodIds('The keys that the subject authenticates with.')),
      assertionMethod: methodIds('The keys whose signatures on credentials and other claims count.'),
      capabilityInvocation: Type.Optional(methodIds('The keys that authorize requests (`agent_auth`).')),
      service: Type.Array(
        named(
          'DidService',
          strictObject({
            id: Type.String({ description: 'The DID of the document, and a name.' }),
            type: Type.String({ description: 'What the URL returns.' }),
            serviceEndpoint: Type.String({ description: 'A URL of this service.' }),
          }),
        ),
      ),
    }),
  ),
  'x-media-type': DID_DOCUMENT_TYPE,
};

export const JwksResponse = named(
  'JsonWebKeySet',
  strictObject({
    keys: Type.Array(
      named(
        'JsonWebKey',
        strictObject({
          kty: Type.Literal('OKP'),
          crv: Type.Literal('Ed25519'),
          x: Type.String({ description: 'The public key: 32 bytes in base64url.' }),
          kid: Type.String({ description: 'The id of the key: its RFC 7638 thumbprint.' }),
          use: Type.Literal('sig'),
          alg: Type.Literal('EdDSA'),
        }),
      ),
      { description: 'The keys, oldest first.' },
    ),
  }),
);

import { Type } from '@sinclair/typebox';
import { named, strictObject } from '../../../platform/http/schema.ts';
import { EXAMPLE_COMMITMENT } from '../../agents/example-agent.ts';

const id = Type.Union([Type.String(), Type.Number(), Type.Null()], {
  description:
    'Chosen by the client; the response has the same. A call without it is a notification, which gets no response.',
});

const Call = named(
  'A2aCall',
  Type.Object(
    {
      jsonrpc: Type.Literal('2.0'),
      id: Type.Optional(id),
      method: Type.String({ description: 'For example `SendMessage`, `message/send` or `tasks/send`.' }),
      params: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'As the specification of the protocol defines them for the method.',
        }),
      ),
    },
    { description: 'A call (JSON-RPC 2.0).' },
  ),
);

const RpcErrorObject = named(
  'A2aError',
  strictObject(
    {
      code: Type.Integer({ description: 'A code of JSON-RPC 2.0 or of A2A.' }),
      message: Type.String({ description: 'What went wrong and what to do, for people.' }),
      data: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description:
          '`google.rpc.ErrorInfo` with the `reason`, and for wrong params a `google.rpc.BadRequest`.',
      }),
    },
    { description: 'Why a call failed.' },
  ),
);

const Response = named(
  'A2aResponse',
  Type.Object(
    {
      jsonrpc: Type.Literal('2.0'),
      id,
      result: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'The result of the method: a task, or a page of tasks.',
        }),
      ),
      error: Type.Optional(RpcErrorObject),
    },
    { description: 'The response to a call: `result` or `error`.' },
  ),
);

/** The body, which the endpoint reads by itself: invalid JSON gets the error of the protocol. */
export const RpcRequestBody = Type.Any({
  'x-schema': Type.Union([Call, Type.Array(Call, { minItems: 1, maxItems: 50 })]),
  examples: [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: {
        message: {
          messageId: '9c1a2d0e-5d5c-4b1f-8d1e-0a4f2f6b7c11',
          role: 'ROLE_USER',
          parts: [{ data: { skill: 'lookup_reputation', subject_commitment: EXAMPLE_COMMITMENT } }],
        },
      },
    },
  ],
});

export const RpcResponseBody = Type.Union([Response, Type.Array(Response)]);

/** The card. Its members are those of the specification, so it is not described here again. */
export const AgentCardResponse = named(
  'AgentCard',
  Type.Object(
    {
      name: Type.String(),
      description: Type.String(),
      version: Type.String({ description: 'The version of this program.' }),
      url: Type.String({ description: 'The endpoint (0.3).' }),
      supportedInterfaces: Type.Array(Type.Record(Type.String(), Type.String()), {
        description: 'The endpoint by version of the protocol (1.0).',
      }),
      capabilities: Type.Record(Type.String(), Type.Boolean()),
      securitySchemes: Type.Record(Type.String(), Type.Unknown()),
      skills: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          description: Type.String(),
          tags: Type.Array(Type.String()),
          examples: Type.Array(Type.String()),
        }),
      ),
      signatures: Type.Optional(
        Type.Array(
          strictObject({
            protected: Type.String({ description: 'The protected header of the JWS, in base64url.' }),
            signature: Type.String({ description: 'The signature, in base64url.' }),
          }),
        ),
      ),
    },
    { description: 'The agent card of A2A 0.3 and 1.0.', additionalProperties: true },
  ),
);

import { Type } from '@sinclair/typebox';
import { described, hexString, named, strictObject } from '../../../platform/http/schema.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import { AgentAuthShape } from '../../agents/schema.ts';
import { MeterReceipt } from '../../ledger/metering/schema.ts';
import { AgentReputationCredential } from '../schema.ts';

export const MeteredCredentialRequest = Type.Optional(
  named(
    'MeteredCredentialRequest',
    strictObject(
      {
        payer_commitment: Type.Optional(
          described(
            hexString(32, ''),
            'The agent that pays. Default: the agent of agent_auth or of the holder key, else the pool of the operator.',
          ),
        ),
        agent_auth: Type.Optional(AgentAuthShape),
      },
      { examples: [{}] },
    ),
  ),
);

export const MeteredCredentialResponse = named(
  'MeteredCredentialResponse',
  strictObject({
    credential: Type.Unsafe<JsonObject>(AgentReputationCredential),
    meter_receipt: MeterReceipt,
  }),
);

import { Type } from '@sinclair/typebox';
import { dateTime, named, strictObject } from '../../../platform/http/schema.ts';
import { CREDENTIALS_CONTEXT, SUSTAINABILITY_TYPE } from '../../../proof/credential/contexts.ts';
import { CitedCheckpoint, contextSchema, credentialMembers, inBothTypes } from '../../credentials/schema.ts';
import { ClassMetrics, classMembers, clusterMembers, period } from '../scorecard/schema.ts';

export const ClusterCredentialText = inBothTypes(
  named(
    SUSTAINABILITY_TYPE,
    strictObject({
      '@context': Type.Array(Type.String(), {
        description: `\`${CREDENTIALS_CONTEXT}\`, then the context of this service for sustainability.`,
      }),
      ...credentialMembers,
      type: Type.Array(Type.String(), {
        description: `\`VerifiableCredential\` and \`${SUSTAINABILITY_TYPE}\`.`,
      }),
      credentialSubject: strictObject(
        {
          ...clusterMembers,
          period,
          ...classMembers(ClassMetrics),
          evidence_count: Type.Integer({
            minimum: 0,
            description: 'All items of telemetry in the period, of all classes.',
          }),
          measured_at: dateTime('The time when the metrics were read: validFrom.'),
          checkpoint: strictObject(
            { receipts: CitedCheckpoint },
            {
              description:
                'A published checkpoint of the log of receipts. It contains the receipts of all telemetry that the metrics count.',
            },
          ),
        },
        { description: 'The cluster and its metrics.' },
      ),
    }),
  ),
);

export const SustainabilityContextText = contextSchema('SustainabilityContext');

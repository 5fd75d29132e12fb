import { join } from 'node:path';
import { restoreKeysCommand } from '../../platform/crypto/key-backup.ts';
import { hasMasterKey } from '../../platform/crypto/master-key.ts';
import type { RestoreProblem, ServiceDatabase } from '../../platform/service-definition.ts';
import { readMigrated } from '../../platform/store/migrations/migrate.ts';
import { hasWebhooks } from '../webhooks/webhook.ts';

/** See `ServiceDefinition.restoreChecks`. */
export async function restoreProblems(
  data: string,
  { name, schema }: ServiceDatabase,
): Promise<RestoreProblem[]> {
  if (hasMasterKey(data) || !(await readMigrated(join(data, name), schema, hasWebhooks))) return [];
  return [
    {
      what: 'keys/ does not contain master.key, which decrypts the secrets of webhooks',
      hint: 'restore it with countersign keys restore; without it the service does not start',
      next: restoreKeysCommand('staffing', data),
    },
  ];
}

import { list, registry, taxonomy } from '../../../db/staffing/registry/tables.ts';
import { syncStatements } from '../../platform/store/transaction.ts';

/** The SQL of what a registry file says of itself. */
export const registryFileSql = syncStatements((orm) => ({
  standing: () => orm.select().from(registry).prepare(),
  /** In order of code. */
  taxonomy: () => orm.select().from(taxonomy).prepare(),
  lists: () => orm.select().from(list).prepare(),
}));

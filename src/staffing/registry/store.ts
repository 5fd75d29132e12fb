import { registry } from '../../../db/staffing/registry/tables.ts';
import { type Snapshot, statements } from '../../platform/store/transaction.ts';

/** The metadata of a registry file. */
export type RegistryFacts = typeof registry.$inferSelect;

const query = statements((orm) => ({ facts: () => orm.select().from(registry).prepare() }));

/** Returns the current metadata, which weekly updates change in place; null for a file without it. */
export function factsOf(snapshot: Snapshot): Promise<RegistryFacts | null> {
  return query(snapshot, (sql) => sql.facts.get() ?? null);
}
